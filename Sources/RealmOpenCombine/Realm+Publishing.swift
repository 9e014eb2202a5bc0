public import RealmSwift

extension Realm {
  /// Says whenever the realm shows another version, and when somebody else has committed while it does not refresh itself, that it is so.
  public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }

  /// Opens a realm on another thread for each subscriber, publishes it and is finished.
  ///
  /// The realm is confined to the main queue unless another one is named by `receive(on:)`.
  public static func asyncOpen(configuration: Realm.Configuration = .defaultConfiguration) -> RealmPublishers.AsyncOpenPublisher {
    RealmPublishers.AsyncOpenPublisher(configuration)
  }
}
