import Foundation

/// A closed chain of arcs; its inside is the smaller of the two parts of the sphere and lies to the left of the edges.
struct SphereRing {
  /// Without the repetition of the first.
  private(set) var vertices: [SpherePoint]

  /// Where the arcs begin that tell inside and outside apart; hardly a place that anybody gives.
  private static let origin = SpherePoint(0.00457, 1, 0.0321).normalized
  private var holdsOrigin = false

  /// - Parameter vertices: in either direction.
  init(_ vertices: [SpherePoint]) {
    self.vertices = vertices
    var turning = 0.0
    for index in vertices.indices {
      let (a, b, c) = (self[index], self[index + 1], self[index + 2])
      let (first, second) = (a.cross(b), b.cross(c))
      let across = first.cross(second)
      turning += atan2(across.dot(across).squareRoot(), first.dot(second)) * Double(SpherePoint.turn(a, b, c))
    }
    // By Gauss and Bonnet the part to the left is smaller than a hemisphere exactly if the turns to the left prevail. Rounding must not turn
    // hemispheres around.
    if turning < -1e-14 { self.vertices.reverse() }
    let middle = self[1]
    let isMiddleInside = SpherePoint.areOrdered(middle.perpendicular, self[0], self[2], around: middle)
    holdsOrigin = isMiddleInside != contains(middle)
  }

  /// A vertex; positions go round.
  subscript(_ position: Int) -> SpherePoint { vertices[(position + vertices.count) % vertices.count] }

  func edge(_ index: Int) -> (SpherePoint, SpherePoint) { (vertices[index], self[index + 1]) }

  /// Of two points that have an edge of one ring between them exactly one lies inside. Points on edges lie in one of the rings that have the edge.
  func contains(_ point: SpherePoint) -> Bool {
    var isInside = holdsOrigin
    for index in vertices.indices {
      let (c, d) = edge(index)
      if SpherePoint.crossOrMeet(SphereRing.origin, point, c, d) { isInside.toggle() }
    }
    return isInside
  }

  // MARK: Two rings

  /// Whether the edges of the two cross, vertices that both have aside.
  private func hasEdgesAcross(_ other: SphereRing) -> Bool {
    for first in vertices.indices {
      for second in other.vertices.indices {
        let (a, b) = edge(first)
        let (c, d) = other.edge(second)
        if SpherePoint.cross(a, b, c, d) { return true }
      }
    }
    return false
  }

  /// The corners that both rings have at the same place.
  private func sharedCorners(_ other: SphereRing) -> [(SphereCorner, SphereCorner)] {
    var corners: [(SphereCorner, SphereCorner)] = []
    for second in other.vertices.indices {
      for first in vertices.indices where vertices[first] == other.vertices[second] { corners.append((corner(first), other.corner(second))) }
    }
    return corners
  }
  private func corner(_ index: Int) -> SphereCorner { SphereCorner(before: self[index - 1], apex: self[index], after: self[index + 1]) }

  /// Whether the other ring lies inside, where it may touch this one at vertices.
  func contains(_ other: SphereRing) -> Bool {
    guard vertices.contains(other.vertices[0]) || contains(other.vertices[0]) else { return false }
    if hasEdgesAcross(other) || !sharedCorners(other).allSatisfy({ $0.contains($1) }) { return false }
    // Two halves of the sphere hold each other's edges.
    return other.vertices.contains(vertices[0]) || !other.contains(vertices[0])
  }

  /// Whether the insides of the two overlap without one holding the other.
  func crosses(_ other: SphereRing) -> Bool {
    if hasEdgesAcross(other) { return true }
    var (holdsCorner, isHeldAtCorner) = (false, false)
    for (a, b) in sharedCorners(other) {
      switch a.relation(to: b) {
      case .overlaps: return true
      case .contains: holdsCorner = true
      case .isContained: isHeldAtCorner = true
      case .equals, .isDisjoint: break
      }
    }
    return holdsCorner && isHeldAtCorner
  }

  /// Whether the other ring, which has no edge in common and does not cross this one, lies inside.
  func encloses(_ other: SphereRing) -> Bool {
    guard let index = vertices.firstIndex(of: other[1]) else { return contains(other[1]) }
    return corner(index).contains(other.corner(1 % other.vertices.count))
  }
}

/// The inside of a ring near one vertex: what lies between the edge that leaves it and the one that comes, counterclockwise.
private struct SphereCorner {
  let before: SpherePoint
  let apex: SpherePoint
  let after: SpherePoint

  enum Relation { case equals, contains, isContained, overlaps, isDisjoint }

  private func isOrdered(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Bool { SpherePoint.areOrdered(a, b, c, around: apex) }

  func contains(_ other: SphereCorner) -> Bool {
    isOrdered(after, other.after, other.before) && isOrdered(other.before, before, after)
  }

  func relation(to other: SphereCorner) -> Relation {
    if before == other.before && after == other.after { return .equals }
    if isOrdered(before, after, other.after) {
      if isOrdered(other.after, other.before, before) { return .contains }
      return after == other.after ? .isContained : .overlaps
    }
    if isOrdered(before, other.before, other.after) { return .isContained }
    return isOrdered(before, other.before, after) ? .isDisjoint : .overlaps
  }
}
