import RealmStorage

/// The version of the package, as `realm --version` prints it.
public let regnumVersion = projectVersion
