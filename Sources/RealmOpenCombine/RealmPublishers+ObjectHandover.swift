public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Says that changes of an object or a projection are to be handed over by the `receive(on:)` that follows.
  public struct MakeThreadSafeObjectChangeset<Upstream: Publisher, T: ThreadConfined>: Publisher where Upstream.Output == ObjectChange<T> {
    /// As the upstream.
    public typealias Failure = Upstream.Failure
    /// As the upstream.
    public typealias Output = Upstream.Output
    private let upstream: Upstream

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the upstream.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output { upstream.receive(subscriber: subscriber) }

    /// Hands each change over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandoverObjectChangeset<Upstream, T, S> {
      DeferredHandoverObjectChangeset(upstream, scheduler)
    }
  }

  /// Hands changes of an object or a projection over to a scheduler; what is frozen as it is. A change of something that is gone when it arrives there is left out.
  public struct DeferredHandoverObjectChangeset<Upstream: Publisher, T: ThreadConfined, S: Scheduler>: Publisher
  where Upstream.Output == ObjectChange<T> {
    /// As the upstream.
    public typealias Failure = Upstream.Failure
    /// As the upstream.
    public typealias Output = Upstream.Output
    private let upstream: Upstream
    private let scheduler: S

    init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

    /// Subscribes to the upstream.
    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
      HandingOver.run(upstream, scheduler, subscriber)
    }
  }
}
