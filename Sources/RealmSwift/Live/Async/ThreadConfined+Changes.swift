import RealmStorage

// On a protocol, so that a class may have a property of this name.

extension ThreadConfined where Self: ObjectBase {
  /// `.change` whenever properties of this object are set, and `.deleted` at the end: what `observe` reports, for a loop. See `RealmChanges`.
  public var changes: RealmChanges<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The same, for some properties only.
  /// - Parameter keyPaths: only these properties, or what lies behind them: `owner.name`. Nil are all of the object's own.
  public func changes(keyPaths: [String]?) -> RealmChanges<ObjectChange<Self>> {
    let core = ObjectRegistration.observableCore(self)
    return RealmChanges { ChangeStream(core) { token, report in ObjectRegistration.register(self, keyPaths, token, report) } }
  }

  /// The same with typed key paths.
  public func changes(keyPaths: [PartialKeyPath<Self>]) -> RealmChanges<ObjectChange<Self>> { changes(keyPaths: keyPaths.map { _name(for: $0) }) }
}
