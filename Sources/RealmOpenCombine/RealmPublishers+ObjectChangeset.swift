public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes changes of an object or a projection. Finished when it was deleted.
  public struct ObjectChangeset<O: ThreadConfined>: Publisher {
    /// What is published.
    public typealias Output = ObjectChange<O>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>

    init(_ observable: Observable<Output>) { self.observable = observable }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> ObjectChangesetWithToken<O, T> {
      ObjectChangesetWithToken(observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangeset<O> { ObjectChangeset(observable.on(scheduler)) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<Self, O, S> {
      DeferredHandoverObjectChangeset(self, scheduler)
    }
  }

  /// A `ObjectChangeset` that puts the token of the observation into a property.
  public final class ObjectChangesetWithToken<O: ThreadConfined, T>: Publisher {
    /// What is published.
    public typealias Output = ObjectChange<O>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>
    private let place: TokenPlace<T>

    init(_ observable: Observable<Output>, _ place: TokenPlace<T>) { (self.observable, self.place) = (observable, place) }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ObjectChangesetWithToken<O, T> {
      ObjectChangesetWithToken(observable.on(scheduler), place)
    }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<ObjectChangesetWithToken, O, S> {
      DeferredHandoverObjectChangeset(self, scheduler)
    }
  }
}
