import RealmStorage

/// `path GEOWITHIN shape` (Q12.3).
struct GeoPlan {
  /// To the objects that hold a point.
  let chain: HopChain
  let typeColumn: ColumnDescription
  let coordinatesColumn: ColumnDescription
  let region: SphereRegion
  let quantifier: Quantifier
  let space: NodeSpace

  func matches(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    var count = 0
    var insideCount = 0
    try chain.forEachRow(row, cancellation) { (point) throws(StorageError) in
      count += 1
      if try isInside(point) { insideCount += 1 }
    }
    switch quantifier {
    case .any: return insideCount > 0
    case .all: return count > 0 && insideCount == count
    case .none: return insideCount == 0
    }
  }

  private func isInside(_ row: Row) throws(StorageError) -> Bool {
    guard case .string(let type) = try row.value(typeColumn), type.count == 5, zip(type, "point".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
      return false
    }
    let coordinates = try CollectionReader(space, row, coordinatesColumn, nil)
    guard try coordinates.count() >= 2, case .double(let longitude) = try coordinates.value(at: 0),
      case .double(let latitude) = try coordinates.value(at: 1)
    else { return false }
    return region.contains(longitude: longitude, latitude: latitude)
  }
}
