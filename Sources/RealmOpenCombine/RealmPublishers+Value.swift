public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes an object, a projection or a collection whenever it was changed, collections also at first. Finished when an object was deleted.
  public struct Value<Subscribable: RealmSubscribable & ThreadConfined>: Publisher {
    /// Declared for operators that expect an error; none is ever published.
    public typealias Failure = any Error
    /// The type of what is observed, and published.
    public typealias Output = Subscribable
    private let subscribable: Subscribable
    private let observable: Observable<Subscribable>

    init(_ subscribable: Subscribable, keyPaths: [String]? = nil) {
      if subscribable.realm == nil { stop("Only managed objects can be published") }
      self.subscribable = subscribable
      observable = Observable { queue, outlet in subscribable._observe(keyPaths, on: queue, outlet) }
    }

    private init(_ subscribable: Subscribable, _ observable: Observable<Subscribable>) {
      (self.subscribable, self.observable) = (subscribable, observable)
    }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> ValueWithToken<Subscribable, T> {
      ValueWithToken(subscribable, observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe for a subscriber, which is sent values while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Value<Subscribable> { Value(subscribable, observable.on(scheduler)) }

    /// Hands each value over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> { Handover(self, scheduler) }
  }

  /// A `Value` that puts the token of the observation into a property.
  public final class ValueWithToken<Subscribable: RealmSubscribable & ThreadConfined, T>: Publisher {
    /// Declared for operators that expect an error; none is ever published.
    public typealias Failure = any Error
    /// The type of what is observed, and published.
    public typealias Output = Subscribable
    private let subscribable: Subscribable
    private let observable: Observable<Subscribable>
    private let place: TokenPlace<T>

    init(_ subscribable: Subscribable, _ observable: Observable<Subscribable>, _ place: TokenPlace<T>) {
      (self.subscribable, self.observable, self.place) = (subscribable, observable, place)
    }

    /// Begins to observe for a subscriber, which is sent values while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ValueWithToken<Subscribable, T> {
      ValueWithToken(subscribable, observable.on(scheduler), place)
    }

    /// Hands each value over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> Handover<ValueWithToken, S> { Handover(self, scheduler) }
  }
}
