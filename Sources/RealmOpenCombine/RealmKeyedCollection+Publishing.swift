public import RealmSwift

extension RealmKeyedCollection where Self: RealmSubscribable {
  /// Says at first and whenever entries have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

  /// The former name of `collectionPublisher`.
  @available(*, deprecated, renamed: "collectionPublisher")
  public var publisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }

  /// Publishes the collection at first and whenever entries have come, gone or been changed. Stops for an unmanaged collection.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }

  /// Publishes the map at first and whenever entries have come or gone, or some properties of the values were changed; ``collectionPublisher`` is
  /// about all properties. Stops for an unmanaged map.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> { RealmPublishers.Value(self, keyPaths: keyPaths) }

  /// Publishes what `observe` reports: `.initial`, and then `.update` whenever entries have come, gone or been changed. Stops for an unmanaged
  /// collection.
  public var changesetPublisher: RealmPublishers.MapChangeset<Self> { RealmPublishers.MapChangeset(self) }

  /// Publishes `.initial`, and then `.update` whenever entries have come or gone, or some properties of the values were changed;
  /// ``changesetPublisher`` is about all properties. Stops for an unmanaged map.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
    RealmPublishers.MapChangeset(self, keyPaths: keyPaths)
  }
}
