public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Says that changes are to be handed over by the `receive(on:)` that follows.
  public struct MakeThreadSafeChangeset<Upstream: Publisher>: Publisher where Upstream.Output: _ConfinedChange {
    /// The failures of the publisher whose changes are handed over.
    public typealias Failure = Upstream.Failure
    /// The changes of the publisher whose changes are handed over.
    public typealias Output = Upstream.Output
    private let upstream: Upstream

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the publisher before it. Without `receive(on:)` nothing is handed over.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output { upstream.receive(subscriber: subscriber) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverChangeset<Upstream, S> { DeferredHandoverChangeset(upstream, scheduler) }
  }

  /// Hands changes over to a scheduler; what is frozen as it is. A change of something that is gone when it arrives there is left out.
  public struct DeferredHandoverChangeset<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: _ConfinedChange {
    /// The failures of the publisher whose changes are handed over.
    public typealias Failure = Upstream.Failure
    /// The changes of the publisher whose changes are handed over.
    public typealias Output = Upstream.Output
    private let upstream: Upstream
    private let scheduler: S

    init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

    /// Subscribes to the publisher before it; its changes come on the scheduler.
    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
      HandingOver.run(upstream, scheduler, subscriber)
    }
  }

  // MARK: The names of the original

  /// Says that changes of an object or a projection are to be handed over by the `receive(on:)` that follows.
  public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined> = MakeThreadSafeChangeset<Upstream>
  where Upstream.Output == ObjectChange<T>
  /// Hands changes of an object or a projection over to a scheduler.
  public typealias DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler> = DeferredHandoverChangeset<Upstream, S>
  where Upstream.Output == ObjectChange<T>
  /// Says that changes of a collection are to be handed over by the `receive(on:)` that follows.
  public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, T: RealmCollection> = MakeThreadSafeChangeset<Upstream>
  where Upstream.Output == RealmCollectionChange<T>
  /// Hands changes of a collection over to a scheduler.
  public typealias DeferredHandoverCollectionChangeset<Upstream: Publisher, T: RealmCollection, S: Scheduler> =
    DeferredHandoverChangeset<Upstream, S>
  where Upstream.Output == RealmCollectionChange<T>
  /// Says that changes of a map are to be handed over by the `receive(on:)` that follows.
  public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection> = MakeThreadSafeChangeset<Upstream>
  where Upstream.Output == RealmMapChange<T>
  /// Hands changes of a map over to a scheduler.
  public typealias DeferredHandoverKeyedCollectionChangeset<Upstream: Publisher, T: RealmKeyedCollection, S: Scheduler> =
    DeferredHandoverChangeset<Upstream, S>
  where Upstream.Output == RealmMapChange<T>
  /// Says that changes of sectioned results are to be handed over by the `receive(on:)` that follows.
  public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult> = MakeThreadSafeChangeset<Upstream>
  where Upstream.Output == SectionedResultsChange<T>
  /// Hands changes of sectioned results over to a scheduler.
  public typealias DeferredHandoverSectionedResultsChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler> =
    DeferredHandoverChangeset<Upstream, S>
  where Upstream.Output == SectionedResultsChange<T>
  /// Hands changes of one section over to a scheduler.
  public typealias DeferredHandoverSectionChangeset<Upstream: Publisher, T: RealmSectionedResult, S: Scheduler> =
    DeferredHandoverChangeset<Upstream, S>
  where Upstream.Output == SectionedResultsChange<T>
}
