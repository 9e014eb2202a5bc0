public import Dispatch

extension ProjectedCollection {
  /// Calls `block` once with `.initial`, and then with `.update` whenever objects come or go, or the property that is shown is changed. See
  /// `RealmCollection.observe`.
  public func observe(
    on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken { observe(keyPaths: nil, on: queue, block) }

  /// Calls `block` once with `.initial`, and then with `.update` whenever objects come or go, or some of their properties are changed. Without key
  /// paths ``observe(on:_:)`` does it for the property that is shown. Stops where `observe` of the collection does.
  /// - Parameters:
  ///   - keyPaths: names in the class of the objects. None or nil are the property that is shown.
  ///   - queue: serial; the block is called there, with a copy of the collection that belongs to it. Nil is where the realm is used.
  ///   - block: gets the collection with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken { source.observe(keyPaths, queue, block) }
}
