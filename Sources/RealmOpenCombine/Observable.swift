import Dispatch
import OpenCombine
import RealmSwift

/// Something that can be observed where it is, or on a queue.
struct Observable<Output> {
  private let begin: (DispatchQueue?, Outlet<Output>) -> Void
  private let queue: DispatchQueue?

  init(_ begin: @escaping (DispatchQueue?, Outlet<Output>) -> Void) { (self.begin, queue) = (begin, nil) }

  private init(_ begin: @escaping (DispatchQueue?, Outlet<Output>) -> Void, _ queue: DispatchQueue) { (self.begin, self.queue) = (begin, queue) }

  func on(_ scheduler: some Scheduler) -> Observable {
    guard let queue = scheduler.dispatchQueue else {
      stop("Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are currently implemented.")
    }
    return Observable(begin, queue)
  }

  func start<S: Subscriber>(_ subscriber: S) where S.Input == Output { Outlet.open(subscriber) { begin(queue, $0) } }

  func start<S: Subscriber, Owner>(_ subscriber: S, _ place: TokenPlace<Owner>) where S.Input == Output {
    Outlet.open(subscriber, at: place) { begin(queue, $0) }
  }
}

/// Stops for what nothing can be published of.
func requirePublishable(_ value: some ThreadConfined, _ message: String) {
  if value.realm == nil { stop(message) }
  if value.isInvalidated { stop("Object is invalidated or deleted") }
}
