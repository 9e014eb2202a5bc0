import RealmQuery

extension MutableSet {
  /// Not available: stops. A set has no order to rely on.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? { stop("index(matching:) is not available on MutableSet") }
}
