public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Says that a realm shows another version, or could.
  public struct RealmWillChange: Publisher {
    /// Observing a realm never fails, so neither does the publisher.
    public typealias Failure = Never
    /// Nothing: a value only says that there was a change.
    public typealias Output = Void
    private let realm: Realm

    init(_ realm: Realm) { self.realm = realm }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, for keyPath: WritableKeyPath<T, NotificationToken?>) -> RealmWillChangeWithToken<T> {
      RealmWillChangeWithToken(realm, TokenPlace(object, keyPath))
    }

    /// Begins to observe. What happens while the subscriber has not asked for more is not said.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
      Outlet.open(subscriber) { outlet in realm.observe(outlet.token) { _, _ in outlet.send(()) } }
    }
  }

  /// Says that a realm shows another version, or could, and puts the token of the observation into a property.
  public final class RealmWillChangeWithToken<T>: Publisher {
    /// Observing a realm never fails, so neither does the publisher.
    public typealias Failure = Never
    /// Nothing: a value only says that there was a change.
    public typealias Output = Void
    private let realm: Realm
    private let place: TokenPlace<T>

    init(_ realm: Realm, _ place: TokenPlace<T>) { (self.realm, self.place) = (realm, place) }

    /// Begins to observe. What happens while the subscriber has not asked for more is not said.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Void {
      Outlet.open(subscriber, at: place) { outlet in realm.observe(outlet.token) { _, _ in outlet.send(()) } }
    }
  }
}
