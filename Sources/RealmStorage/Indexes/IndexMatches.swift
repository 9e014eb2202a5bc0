/// The objects with one value, as the index of a column names them; good while nothing is written.
package enum IndexMatches {
  case none
  case object(ObjectKey)
  /// All of a list, which is not read before it is asked for.
  case list(Ref, count: Int)
  /// Of a Mixed column, or of values that share their first 204 bytes: compared one by one.
  case objects([ObjectKey])

  package var count: Int {
    switch self {
    case .none: 0
    case .object: 1
    case .list(_, let count): count
    case .objects(let keys): keys.count
    }
  }

  /// - Throws: `.interrupted`.
  package func append(to keys: inout [ObjectKey], _ space: NodeSpace, _ cancellation: Cancellation?) throws(StorageError) {
    switch self {
    case .none: break
    case .object(let key): keys.append(key)
    case .objects(let all): keys += all
    case .list(let ref, let count):
      keys.reserveCapacity(keys.count + count)
      try IndexList(ref).forEach(space) { (key) throws(StorageError) -> Bool in
        if keys.count % Cancellation.blockSize == 0 { try cancellation?.check() }
        keys.append(key)
        return true
      }
    }
  }
}
