public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Hands each object or collection over to a scheduler. What is gone when it arrives there is left out.
  public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
    /// The failures of the publisher whose values are handed over.
    public typealias Failure = Upstream.Failure
    /// The values of the publisher whose values are handed over.
    public typealias Output = Upstream.Output
    private let upstream: Upstream
    private let scheduler: S

    init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

    /// Subscribes to the publisher before it; its values come on the scheduler.
    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
      HandingOver.run(upstream, scheduler, subscriber)
    }
  }

  /// Says that values are to be handed over by the `receive(on:)` that follows.
  public struct MakeThreadSafe<Upstream: Publisher>: Publisher where Upstream.Output: ThreadConfined {
    /// The failures of the publisher whose values are handed over.
    public typealias Failure = Upstream.Failure
    /// The values of the publisher whose values are handed over.
    public typealias Output = Upstream.Output
    private let upstream: Upstream

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the publisher before it. Without `receive(on:)` nothing is handed over.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output { upstream.receive(subscriber: subscriber) }

    /// Hands each value over to a scheduler, such as a serial queue.
    public func receive<S: Scheduler>(on scheduler: S) -> DeferredHandover<Upstream, S> { DeferredHandover(upstream, scheduler) }
  }

  /// Hands each object or collection over to a scheduler; frozen and unmanaged ones as they are. What is gone when it arrives there is left out.
  public struct DeferredHandover<Upstream: Publisher, S: Scheduler>: Publisher where Upstream.Output: ThreadConfined {
    /// The failures of the publisher whose values are handed over.
    public typealias Failure = Upstream.Failure
    /// The values of the publisher whose values are handed over.
    public typealias Output = Upstream.Output
    private let upstream: Upstream
    private let scheduler: S

    init(_ upstream: Upstream, _ scheduler: S) { (self.upstream, self.scheduler) = (upstream, scheduler) }

    /// Subscribes to the publisher before it; its values come on the scheduler.
    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Failure == Failure, Sub.Input == Output {
      HandingOver.run(upstream, scheduler, subscriber)
    }
  }
}
