public import OpenCombine
import RealmSwift

/// The subscription of whoever subscribes to a publisher of changes. Any thread may ask for more, and cancel.
public struct ObservationSubscription: Subscription {
  private let takeMore: (Subscribers.Demand) -> Void
  private let end: () -> Void
  private let token: NotificationToken

  init<Value>(_ outlet: Outlet<Value>) {
    takeMore = { outlet.request($0) }
    end = { outlet.cancel() }
    token = outlet.token
  }

  /// Tells this subscription apart from others: one for each observation.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(token) }

  /// Ready for more changes. What has happened since the last one is sent at the next turn of the realm.
  public func request(_ demand: Subscribers.Demand) { takeMore(demand) }

  /// Stops the observation. A change that is being sent on another thread comes to its end.
  public func cancel() { end() }
}
