extension Realm {
  /// The counterpart of what a reference was made of, in this realm.
  ///
  /// The realm is refreshed if its version is older than that of the reference.
  /// - Returns: nil if the object was deleted.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    orStop(core) { try reference.resolve(in: core) }
  }
}
