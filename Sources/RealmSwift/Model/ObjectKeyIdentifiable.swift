import RealmStorage

/// Gives model objects and projections an identity for lists of views: the same for all accessors of one object.
public protocol ObjectKeyIdentifiable: Identifiable {
  /// A number that all accessors of one row share; every other row of its class has another one.
  var id: UInt64 { get }
}

/// The former spelling of `ObjectKeyIdentifiable`.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// The number of the row of a managed object; the address of an unmanaged one.
  public var id: UInt64 { rowIdentity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The `id` of the object that is shown: the number of its row, or the address of an unmanaged one.
  public var id: UInt64 { rootObject.rowIdentity }
}
