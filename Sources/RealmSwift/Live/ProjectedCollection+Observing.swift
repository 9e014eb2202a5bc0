public import Dispatch

extension ProjectedCollection {
  /// Calls `block` once with `.initial`, and then with `.update` whenever objects come or go, or the property that is shown is changed. See
  /// `RealmCollection.observe`.
  public func observe(
    on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken { observe(keyPaths: nil, on: queue, block) }

  /// The same, for changes of some properties of the objects only.
  /// - Parameter keyPaths: names in the class of the objects. None or nil are the property that is shown.
  public func observe(
    keyPaths: [String]?, on queue: DispatchQueue? = nil, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken { source.observe(keyPaths, queue, block) }
}
