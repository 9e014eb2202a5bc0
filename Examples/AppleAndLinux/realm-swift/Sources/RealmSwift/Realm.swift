/// A type that this package has, too.
public struct Realm {
  public let name = "the other one"

  public init() {}
}
