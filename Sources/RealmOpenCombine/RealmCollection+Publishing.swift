public import RealmSwift

extension RealmCollection where Self: RealmSubscribable {
  /// Says at first and whenever elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

  /// The former name of `collectionPublisher`.
  @available(*, deprecated, renamed: "collectionPublisher")
  public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }

  /// Publishes the collection at first and whenever elements have come, gone or been changed. Stops for an unmanaged collection.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }

  /// Publishes the collection at first and whenever elements have come or gone, or some of their properties were changed; ``collectionPublisher`` is
  /// about all properties. Stops for an unmanaged collection.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> { RealmPublishers.Value(self, keyPaths: keyPaths) }

  /// Publishes what `observe` reports: `.initial`, and then `.update` whenever elements have come, gone or been changed. Stops for an unmanaged
  /// collection.
  public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { RealmPublishers.CollectionChangeset(self) }

  /// Publishes `.initial`, and then `.update` whenever elements have come or gone, or some of their properties were changed; ``changesetPublisher``
  /// is about all properties. Stops for an unmanaged collection.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
    RealmPublishers.CollectionChangeset(self, keyPaths: keyPaths)
  }
}
