import Dispatch
public import OpenCombine
public import RealmSwift

extension RealmPublishers {
  /// Opens a realm on another thread for each subscriber, publishes it and is finished.
  public struct AsyncOpenPublisher: Publisher {
    /// The error that opening the realm throws: a `Realm.Error`.
    public typealias Failure = any Error
    /// A realm that is confined to the main queue, or the one that was named.
    public typealias Output = Realm
    private let configuration: Realm.Configuration
    private let queue: DispatchQueue
    private let progress: ((SyncSession.Progress) -> Void)?

    init(_ configuration: Realm.Configuration, queue: DispatchQueue = .main, progress: ((SyncSession.Progress) -> Void)? = nil) {
      (self.configuration, self.queue, self.progress) = (configuration, queue, progress)
    }

    /// Progress is only reported for synced realms: `callback` is never called.
    public func onProgressNotification(_ callback: @escaping (SyncSession.Progress) -> Void) -> Self {
      Self(configuration, queue: queue, progress: callback)
    }

    /// Opens the realm as soon as the subscriber asks for it.
    public func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
      subscriber.receive(subscription: AsyncOpenSubscription(OpeningForSubscriber(configuration, queue, progress, subscriber)))
    }

    /// Opens the realm for a serial queue, and publishes it there. Stops for other schedulers.
    public func receive<S: Scheduler>(on scheduler: S) -> Self {
      guard let queue = scheduler.dispatchQueue else {
        stop("Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented.")
      }
      return Self(configuration, queue: queue, progress: progress)
    }
  }
}
