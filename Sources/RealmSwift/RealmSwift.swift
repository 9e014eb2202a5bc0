/// The version of the package, as `realm --version` prints it.
public let regnumVersion = "0.1.0"
