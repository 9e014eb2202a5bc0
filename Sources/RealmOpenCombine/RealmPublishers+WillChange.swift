public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Says that an object or a collection was changed.
  public struct WillChange<Collection: RealmSubscribable & ThreadConfined>: Publisher {
    /// Observing never fails, so neither does the publisher.
    public typealias Failure = Never
    /// Nothing: a value only says that there was a change.
    public typealias Output = Void
    private let collection: Collection

    init(_ collection: Collection) { self.collection = collection }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> WillChangeWithToken<Collection, T> {
      WillChangeWithToken(collection, TokenPlace(object, keyPath))
    }

    /// Begins to observe for a subscriber, which is told of changes while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
      Outlet.open(subscriber) { collection._observe($0) }
    }
  }

  /// Says that an object or a collection was changed, and puts the token of the observation into a property.
  public final class WillChangeWithToken<Collection: RealmSubscribable & ThreadConfined, T>: Publisher {
    /// Observing never fails, so neither does the publisher.
    public typealias Failure = Never
    /// Nothing: a value only says that there was a change.
    public typealias Output = Void
    private let collection: Collection
    private let place: TokenPlace<T>

    init(_ collection: Collection, _ place: TokenPlace<T>) { (self.collection, self.place) = (collection, place) }

    /// Begins to observe for a subscriber, which is told of changes while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
      Outlet.open(subscriber, at: place) { collection._observe($0) }
    }
  }
}
