public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes a map at first, and then its changes.
  public struct MapChangeset<Collection: RealmKeyedCollection>: Publisher {
    /// What is published.
    public typealias Output = RealmMapChange<Collection>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>

    init(_ observable: Observable<Output>) { self.observable = observable }

    init(_ collection: Collection, keyPaths: [String]? = nil) {
      if collection.realm == nil { stop("Only managed collections can be published") }
      observable = Observable { queue, outlet in collection.observe(keyPaths, on: queue, outlet.token) { outlet.send($0) } }
    }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> MapChangesetWithToken<Collection, T> {
      MapChangesetWithToken(observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> MapChangeset<Collection> { MapChangeset(observable.on(scheduler)) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverKeyedCollectionChangeset<Self, Collection, S> {
      DeferredHandoverKeyedCollectionChangeset(self, scheduler)
    }
  }

  /// A `MapChangeset` that puts the token of the observation into a property.
  public final class MapChangesetWithToken<Collection: RealmKeyedCollection, T>: Publisher {
    /// What is published.
    public typealias Output = RealmMapChange<Collection>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>
    private let place: TokenPlace<T>

    init(_ observable: Observable<Output>, _ place: TokenPlace<T>) { (self.observable, self.place) = (observable, place) }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> MapChangesetWithToken<Collection, T> {
      MapChangesetWithToken(observable.on(scheduler), place)
    }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverKeyedCollectionChangeset<MapChangesetWithToken, Collection, S> {
      DeferredHandoverKeyedCollectionChangeset(self, scheduler)
    }
  }
}
