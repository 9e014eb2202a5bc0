public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes what is observed at first, and then its changes; of an object or a projection its changes only, and the end when it was deleted.
  public struct Changeset<Change: _ConfinedChange>: Publisher {
    /// What is published.
    public typealias Output = Change
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Change>

    init(_ observable: Observable<Change>) { self.observable = observable }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> ChangesetWithToken<Change, T> {
      ChangesetWithToken(observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Change { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Changeset { Changeset(observable.on(scheduler)) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Self, S> { DeferredHandoverChangeset(self, scheduler) }
  }

  /// A `Changeset` that puts the token of the observation into a property.
  public final class ChangesetWithToken<Change: _ConfinedChange, T>: Publisher {
    /// What is published.
    public typealias Output = Change
    /// Never fails.
    public typealias Failure = Never
    private let observable: Observable<Change>
    private let place: TokenPlace<T>

    init(_ observable: Observable<Change>, _ place: TokenPlace<T>) { (self.observable, self.place) = (observable, place) }

    /// Begins to observe.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Change { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ChangesetWithToken { ChangesetWithToken(observable.on(scheduler), place) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<ChangesetWithToken, S> {
      DeferredHandoverChangeset(self, scheduler)
    }
  }

  // MARK: The names of the original

  /// Of an object or a projection.
  public typealias ObjectChangeset<O: ThreadConfined> = Changeset<ObjectChange<O>>
  /// Of an object or a projection.
  public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = ChangesetWithToken<ObjectChange<O>, T>
  /// Of a collection.
  public typealias CollectionChangeset<C: RealmCollection> = Changeset<RealmCollectionChange<C>>
  /// Of a collection.
  public typealias CollectionChangesetWithToken<C: RealmCollection, T> = ChangesetWithToken<RealmCollectionChange<C>, T>
  /// Of a map.
  public typealias MapChangeset<C: RealmKeyedCollection> = Changeset<RealmMapChange<C>>
  /// Of a map.
  public typealias MapChangesetWithToken<C: RealmKeyedCollection, T> = ChangesetWithToken<RealmMapChange<C>, T>
  /// Of sections.
  public typealias SectionedResultsChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
  /// Of sections.
  public typealias SectionedResultsChangesetWithToken<C: RealmSectionedResult, T> = ChangesetWithToken<SectionedResultsChange<C>, T>
  /// Of one section.
  public typealias SectionChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
  /// Of one section.
  public typealias SectionChangesetWithToken<C: RealmSectionedResult, T> = ChangesetWithToken<SectionedResultsChange<C>, T>
}

extension RealmPublishers.Changeset {
  init<C: RealmCollection>(_ collection: C, keyPaths: [String]? = nil) where Change == RealmCollectionChange<C> {
    if collection.realm == nil { stop("Only managed collections can be published") }
    self.init(Observable { queue, outlet in collection.observe(keyPaths, on: queue, outlet.token) { outlet.send($0) } })
  }

  init<C: RealmKeyedCollection>(_ map: C, keyPaths: [String]? = nil) where Change == RealmMapChange<C> {
    if map.realm == nil { stop("Only managed collections can be published") }
    self.init(Observable { queue, outlet in map.observe(keyPaths, on: queue, outlet.token) { outlet.send($0) } })
  }
}
