package import RealmStorage

/// What a file of flexible synchronisation is to hold: the objects of some classes that match some queries. Source: Y4.2.
package struct Subscription: Equatable, Sendable {
  /// Stays when a named subscription gets another query.
  package let id: ObjectID
  package let createdAt: Timestamp
  package internal(set) var updatedAt: Timestamp
  /// Nil for one that is known by its class and query.
  package let name: String?
  /// As peers call it, without prefix.
  package internal(set) var className: String
  /// Realm query language, as it was written.
  package internal(set) var query: String
}

/// The subscriptions of one version, and what has become of them.
package struct SubscriptionSet: Equatable, Sendable {
  /// How far the server has come with a set. The numbers are those of the file.
  package enum State: Int64, Sendable, CaseIterable {
    /// Committed here, not answered yet.
    case pending = 1
    /// The server sends what the set selects.
    case bootstrapping = 2
    /// In force.
    case complete = 3
    /// Refused; `error` says why.
    case error = 4
    /// Everything was applied that the set selected when the server began; it still has to say that nothing happened since.
    case awaitingMark = 6

    /// Whether the file holds what the set selects.
    package var isActive: Bool { self == .complete || self == .awaitingMark }
  }

  /// Counted from 0, the empty set that every file begins with.
  package let version: Int64
  package let state: State
  /// The version of the file that the set was made on: what was written up to it is uploaded before the server hears of the set.
  package let snapshotVersion: UInt64
  /// Why the server refused the set.
  package let error: String?
  package let subscriptions: [Subscription]
}

/// The subscriptions of the next set, while they are being changed.
package struct SubscriptionEditing {
  package private(set) var subscriptions: [Subscription]
  private let now: Timestamp
  private let newID: () -> ObjectID

  init(_ subscriptions: [Subscription], now: Timestamp, newID: @escaping () -> ObjectID) {
    (self.subscriptions, self.now, self.newID) = (subscriptions, now, newID)
  }

  /// Adds a subscription, or gives the one of that name another class and query.
  package mutating func set(_ name: String, className: String, query: String) {
    set(subscriptions.firstIndex { $0.name == name }, name, className, query)
  }

  /// Adds a subscription without name; one that has the class and the query already is only touched.
  package mutating func add(className: String, query: String) {
    set(subscriptions.firstIndex { $0.name == nil && $0.className == className && $0.query == query }, nil, className, query)
  }

  private mutating func set(_ index: Int?, _ name: String?, _ className: String, _ query: String) {
    if let index {
      subscriptions[index].className = className
      subscriptions[index].query = query
      subscriptions[index].updatedAt = now
    } else {
      subscriptions.append(Subscription(id: newID(), createdAt: now, updatedAt: now, name: name, className: className, query: query))
    }
  }

  /// Removes those that a rule selects.
  package mutating func removeAll(where isRemoved: (Subscription) -> Bool) { subscriptions.removeAll(where: isRemoved) }
}
