extension Realm {
  /// What happens when an object is added whose primary key exists already.
  public enum UpdatePolicy: Int, Sendable {
    /// Stop with an error; members of `throwing` throw it.
    case error = 1
    /// Set every property of the existing object, so that observers see them all as modified.
    case all = 2
    /// Set only the properties whose values differ.
    case modified = 3
  }
}
