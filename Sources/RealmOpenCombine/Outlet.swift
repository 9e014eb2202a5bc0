import OpenCombine
public import RealmSwift
import Synchronization

/// What an observation tells its subscriber through. Public for technical reasons only.
public protocol _Outlet<Value>: AnyObject {
  /// The type of what is sent to the subscriber.
  associatedtype Value
  /// The token of the observation that the values come from.
  var token: NotificationToken { get }
  /// Sends a value, if the subscriber is ready for one.
  func send(_ value: Value)
  /// Tells the subscriber that there will be no more values.
  func finish()
}

final class Outlet<Value>: _Outlet {
  let token: NotificationToken
  private let credit: ReportCredit
  private let receive: (Value) -> Subscribers.Demand
  private let complete: () -> Void
  private let isOver = Atomic<Bool>(false)

  private init<S: Subscriber>(_ subscriber: S) where S.Input == Value {
    credit = ReportCredit()
    token = NotificationToken(credit: credit)
    receive = { subscriber.receive($0) }
    complete = { subscriber.receive(completion: .finished) }
  }

  /// Hands its subscription to a subscriber, and then observes.
  static func open<S: Subscriber, Owner>(_ subscriber: S, at place: TokenPlace<Owner>?, _ begin: (Outlet) -> Void) where S.Input == Value {
    let outlet = Outlet(subscriber)
    place?.put(outlet.token)
    subscriber.receive(subscription: ObservationSubscription(outlet))
    begin(outlet)
  }

  static func open<S: Subscriber>(_ subscriber: S, _ begin: (Outlet) -> Void) where S.Input == Value {
    open(subscriber, at: TokenPlace<Void>?.none, begin)
  }

  func send(_ value: Value) {
    if isOver.load(ordering: .acquiring) || !credit.spend() { return }
    request(receive(value))
  }

  func finish() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    token.invalidate()
    complete()
  }

  func request(_ demand: Subscribers.Demand) { credit.add(demand.max) }

  func cancel() {
    isOver.store(true, ordering: .releasing)
    token.invalidate()
  }
}
