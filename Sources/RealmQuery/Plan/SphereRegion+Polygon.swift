import Foundation

/// Which rings make a polygon: an outer one, and holes that lie in it, apart from each other. They may touch at single vertices. The rules come in
/// the order of the original, so that of several faults it reports the same one (Q12.3).
extension SphereRegion {
  static func polygon(_ rings: [[GeoPoint]]) throws(Invalid) -> SphereRegion {
    var loops: [SphereRing] = []
    for (index, ring) in rings.enumerated() {
      let loop = SphereRing(try vertices(ring, index))
      if let outer = loops.first, !outer.contains(loop) {
        throw Invalid(
          reason: "Secondary ring \(index) not contained by first exterior ring - secondary rings must be holes in the first ring")
      }
      loops.append(loop)
    }
    guard let outer = loops.first else { throw Invalid(reason: "Polygon has no rings.") }
    try checkEdges(loops)
    try checkNesting(loops)
    return .polygon(outer, holes: Array(loops.dropFirst()))
  }

  // MARK: One ring

  /// The vertices of a closed ring, each once.
  private static func vertices(_ ring: [GeoPoint], _ index: Int) throws(Invalid) -> [SpherePoint] {
    for point in ring { try check(point) }
    guard let first = ring.first, let last = ring.last else { throw Invalid(reason: "Ring has no vertices") }
    guard first == last else {
      throw Invalid(
        reason: "Ring is not closed, first vertex 'GeoPoint(\(first.text))' does not equal last vertex 'GeoPoint(\(last.text))'")
    }
    var points: [GeoPoint] = []
    var vertices: [SpherePoint] = []
    for point in ring {
      let vertex = SpherePoint(longitude: point.longitude, latitude: point.latitude)
      // The same vertex twice in a row counts once.
      if vertex == vertices.last { continue }
      points.append(point)
      vertices.append(vertex)
    }
    vertices.removeLast()
    guard vertices.count >= 3 else {
      throw Invalid(reason: "Ring \(index) must have at least 3 different vertices, \(vertices.count) unique vertices were provided")
    }
    if let fault = fault(vertices, points) { throw Invalid(reason: "Ring \(index) is not valid: '\(fault)'") }
    return vertices
  }

  /// - Parameter points: the vertices as they were given, with the repetition of the first.
  private static func fault(_ vertices: [SpherePoint], _ points: [GeoPoint]) -> String? {
    for second in vertices.indices {
      if let first = vertices[..<second].firstIndex(of: vertices[second]) { return "Duplicate vertices: \(first) and \(second)" }
    }
    func degrees(_ number: Int) -> String { String(format: "[%.7f, %.7f]", points[number].latitude, points[number].longitude) }
    func edge(_ number: Int) -> String { "\(degrees(number))-\(degrees(number + 1))" }
    func next(_ number: Int) -> SpherePoint { vertices[(number + 1) % vertices.count] }
    for first in vertices.indices {
      for second in vertices.indices where second > first + 1 {
        if SpherePoint.cross(vertices[first], next(first), vertices[second], next(second)) {
          return "Edges \(first) and \(second) cross. Edge locations in degrees: \(edge(first)) and \(edge(second))"
        }
      }
    }
    return nil
  }

  // MARK: Several rings

  private struct Edge: Hashable { let start, end: SpherePoint }

  /// No edge in two rings, and no two rings across each other.
  private static func checkEdges(_ loops: [SphereRing]) throws(Invalid) {
    guard loops.count > 1 else { return }
    func invalid(_ reason: String) -> Invalid { Invalid(reason: "Polygon isn't valid: '\(reason)'") }
    var edges: [Edge: (ring: Int, edge: Int)] = [:]
    for (ring, loop) in loops.enumerated() {
      for number in loop.vertices.indices {
        let (start, end) = loop.edge(number)
        for edge in [Edge(start: start, end: end), Edge(start: end, end: start)] {
          if let other = edges[edge] {
            throw invalid("Duplicate edge: ring \(ring), edge \(number) and ring \(other.ring), edge \(other.edge)")
          }
          edges[edge] = (ring, number)
        }
      }
    }
    for first in loops.indices {
      for second in loops.indices where second > first && loops[first].crosses(loops[second]) {
        throw invalid("Ring \(first) crosses ring \(second)")
      }
    }
  }

  /// Each hole lies in the outer ring and in no other hole, and has one vertex in common with it at most.
  private static func checkNesting(_ loops: [SphereRing]) throws(Invalid) {
    let order = RingOrder(loops)
    for (number, (loop, parent)) in zip(order.loops, order.parents).enumerated() {
      guard let parent else { continue }
      let shared = loop.vertices.count { order.loops[parent].vertices.contains($0) }
      if shared > 1 {
        throw Invalid(reason: "Polygon is not normalized: 'Ring \(number) shares more than one vertex with its parent ring \(parent)'")
      }
    }
    for (number, parent) in order.parents.enumerated() {
      if let parent, order.parents[parent] != nil { throw Invalid(reason: "Polygon interior rings cannot be nested: \(number)") }
    }
  }

  /// Rings in the order in which messages number them: each one before what lies in it.
  private struct RingOrder {
    private(set) var loops: [SphereRing] = []
    /// The ring that each lies in.
    private(set) var parents: [Int?] = []

    init(_ rings: [SphereRing]) {
      // By the number of the ring they lie in; -1 for those that lie in none.
      var children: [Int: [Int]] = [:]
      for (number, ring) in rings.enumerated() {
        var parent = -1
        while let inner = children[parent]?.first(where: { rings[$0].encloses(ring) }) { parent = inner }
        let siblings = children[parent] ?? []
        children[number] = siblings.filter { ring.encloses(rings[$0]) }
        children[parent] = siblings.filter { !ring.encloses(rings[$0]) } + [number]
      }
      var pending = (children[-1] ?? []).reversed().map { (number: $0, parent: Int?.none) }
      while let (number, parent) = pending.popLast() {
        let place = loops.count
        loops.append(rings[number])
        parents.append(parent)
        pending += (children[number] ?? []).reversed().map { ($0, place) }
      }
    }
  }
}
