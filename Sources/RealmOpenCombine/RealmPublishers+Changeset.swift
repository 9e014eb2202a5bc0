public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Publishes what is observed at first, and then its changes; of an object or a projection its changes only, and the end when it was deleted.
  public struct Changeset<Change: _ConfinedChange>: Publisher {
    /// The type of what is published: a change of what is observed.
    public typealias Output = Change
    /// Observing never fails, so neither does the publisher.
    public typealias Failure = Never
    private let observable: Observable<Change>

    init(_ observable: Observable<Change>) { self.observable = observable }

    /// Puts the token of the observation into a property, for `Realm.write(withoutNotifying:)`.
    public func saveToken<T>(on object: T, at keyPath: WritableKeyPath<T, NotificationToken?>) -> ChangesetWithToken<Change, T> {
      ChangesetWithToken(observable, TokenPlace(object, keyPath))
    }

    /// Begins to observe for a subscriber, which is sent changes while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Change { observable.start(subscriber) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Changeset { Changeset(observable.on(scheduler)) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Self, S> { DeferredHandoverChangeset(self, scheduler) }
  }

  /// A `Changeset` that puts the token of the observation into a property.
  public final class ChangesetWithToken<Change: _ConfinedChange, T>: Publisher {
    /// The type of what is published: a change of what is observed.
    public typealias Output = Change
    /// Observing never fails, so neither does the publisher.
    public typealias Failure = Never
    private let observable: Observable<Change>
    private let place: TokenPlace<T>

    init(_ observable: Observable<Change>, _ place: TokenPlace<T>) { (self.observable, self.place) = (observable, place) }

    /// Begins to observe for a subscriber, which is sent changes while it asks for more.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Never, S.Input == Change { observable.start(subscriber, place) }

    /// Observes on a serial queue, and publishes there what belongs to it. Stops for other schedulers.
    public func subscribe<S: Scheduler>(on scheduler: S) -> ChangesetWithToken { ChangesetWithToken(observable.on(scheduler), place) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<ChangesetWithToken, S> {
      DeferredHandoverChangeset(self, scheduler)
    }
  }

  // MARK: The names of the original

  /// Publishes the changes of an object or a projection.
  public typealias ObjectChangeset<O: ThreadConfined> = Changeset<ObjectChange<O>>
  /// Publishes the changes of an object or a projection, and puts the token of the observation into a property.
  public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = ChangesetWithToken<ObjectChange<O>, T>
  /// Publishes the changes of a collection.
  public typealias CollectionChangeset<C: RealmCollection> = Changeset<RealmCollectionChange<C>>
  /// Publishes the changes of a collection, and puts the token of the observation into a property.
  public typealias CollectionChangesetWithToken<C: RealmCollection, T> = ChangesetWithToken<RealmCollectionChange<C>, T>
  /// Publishes the changes of a map.
  public typealias MapChangeset<C: RealmKeyedCollection> = Changeset<RealmMapChange<C>>
  /// Publishes the changes of a map, and puts the token of the observation into a property.
  public typealias MapChangesetWithToken<C: RealmKeyedCollection, T> = ChangesetWithToken<RealmMapChange<C>, T>
  /// Publishes the changes of sectioned results.
  public typealias SectionedResultsChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
  /// Publishes the changes of sectioned results, and puts the token of the observation into a property.
  public typealias SectionedResultsChangesetWithToken<C: RealmSectionedResult, T> = ChangesetWithToken<SectionedResultsChange<C>, T>
  /// Publishes the changes of one section.
  public typealias SectionChangeset<C: RealmSectionedResult> = Changeset<SectionedResultsChange<C>>
  /// Publishes the changes of one section, and puts the token of the observation into a property.
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
