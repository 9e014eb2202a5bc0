public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes a section at first, and then its changes.
  public struct SectionChangeset<Collection: RealmSectionedResult>: Publisher {
    /// What is published.
    public typealias Output = SectionedResultsChange<Collection>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>

    init(_ observable: Observable<Output>) { self.observable = observable }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> SectionChangesetWithToken<Collection, T> {
      SectionChangesetWithToken(observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> SectionChangeset<Collection> { SectionChangeset(observable.on(scheduler)) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionChangeset<Self, Collection, S> {
      DeferredHandoverSectionChangeset(self, scheduler)
    }
  }

  /// A `SectionChangeset` that puts the token of the observation into a property.
  public final class SectionChangesetWithToken<Collection: RealmSectionedResult, T>: Publisher {
    /// What is published.
    public typealias Output = SectionedResultsChange<Collection>
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Output>
    private let place: TokenPlace<T>

    init(_ observable: Observable<Output>, _ place: TokenPlace<T>) { (self.observable, self.place) = (observable, place) }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Output { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> SectionChangesetWithToken<Collection, T> {
      SectionChangesetWithToken(observable.on(scheduler), place)
    }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverSectionChangeset<SectionChangesetWithToken, Collection, S> {
      DeferredHandoverSectionChangeset(self, scheduler)
    }
  }
}
