import RealmStorage

// On a protocol, so that a class may have a property of this name.

extension ThreadConfined where Self: ObjectBase {
  /// `.change` whenever properties of this object are set, and `.deleted` at the end: what `observe` reports, for a loop. See ``RealmChanges``.
  public var changes: RealmChanges<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// `.change` whenever some properties of this object are set, and `.deleted` at the end: what `observe` reports, for a loop. ``changes`` is about
  /// all properties of the object's own; see ``RealmChanges``. Stops for an unmanaged object.
  /// - Parameter keyPaths: only these properties, or what lies behind them: `owner.name`. None or nil are all of the object's own.
  public func changes(keyPaths: [String]?) -> RealmChanges<ObjectChange<Self>> {
    let core = ObjectRegistration.observableCore(self)
    return RealmChanges { ChangeStream(core) { token, report in ObjectRegistration.register(self, keyPaths, token, report) } }
  }

  /// `.change` whenever what one of the key paths leads to is set, and `.deleted` at the end: what `observe` reports, for a loop. See
  /// ``RealmChanges``. Stops for an unmanaged object.
  /// - Parameter keyPaths: only these properties, or what lies behind them: `\.owner?.name`. None are all of the object's own.
  public func changes(keyPaths: [PartialKeyPath<Self>]) -> RealmChanges<ObjectChange<Self>> { changes(keyPaths: keyPaths.map { _name(for: $0) }) }
}
