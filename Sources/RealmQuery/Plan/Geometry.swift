import Foundation

/// A point of the unit sphere.
struct SpherePoint: Equatable {
  let x, y, z: Double

  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  init(longitude: Double, latitude: Double) {
    let (phi, theta) = (latitude * .pi / 180, longitude * .pi / 180)
    self.init(cos(phi) * cos(theta), cos(phi) * sin(theta), sin(phi))
  }

  static func + (a: SpherePoint, b: SpherePoint) -> SpherePoint { SpherePoint(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: SpherePoint, b: SpherePoint) -> SpherePoint { SpherePoint(a.x - b.x, a.y - b.y, a.z - b.z) }
  static func * (a: SpherePoint, factor: Double) -> SpherePoint { SpherePoint(a.x * factor, a.y * factor, a.z * factor) }
  func dot(_ b: SpherePoint) -> Double { x * b.x + y * b.y + z * b.z }
  func cross(_ b: SpherePoint) -> SpherePoint {
    SpherePoint(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
  }
  var normalized: SpherePoint {
    let length = dot(self).squareRoot()
    return length == 0 ? self : self * (1 / length)
  }

  /// Whether the arcs ab and cd cross at a point inside both.
  static func cross(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    if a == c || a == d || b == c || b == d { return false }
    let ab = a.cross(b)
    let acb = -ab.dot(c)
    let bda = ab.dot(d)
    if acb * bda <= 0 { return false }
    let cd = c.cross(d)
    let cbd = -cd.dot(b)
    let dac = cd.dot(a)
    return acb * cbd > 0 && acb * dac > 0
  }
}

/// A closed chain of arcs; its inside is the smaller of the two parts of the sphere.
struct SphereRing {
  /// Without the repetition of the first.
  let vertices: [SpherePoint]
  /// The inside lies to the left of the edges.
  private let isCounterclockwise: Bool

  init(_ points: [GeoPoint]) {
    vertices = points.dropLast().map { SpherePoint(longitude: $0.longitude, latitude: $0.latitude) }
    var turning = 0.0
    for index in vertices.indices {
      let a = vertices[index]
      let b = vertices[(index + 1) % vertices.count]
      let c = vertices[(index + 2) % vertices.count]
      let first = a.cross(b)
      let second = b.cross(c)
      turning += atan2(b.dot(first.cross(second)), first.dot(second))
    }
    // By Gauss and Bonnet the part to the left is smaller than a hemisphere exactly if the turns to the left prevail.
    isCounterclockwise = turning >= 0
  }

  func edge(_ index: Int) -> (SpherePoint, SpherePoint) { (vertices[index], vertices[(index + 1) % vertices.count]) }

  func contains(_ point: SpherePoint) -> Bool {
    // The arc from the point to a place just left of an edge's middle crosses the ring an even number of times exactly if the point lies
    // on the left, too. An edge nearby keeps the arc away from the antipodes.
    var best = 0
    var bestDot = -2.0
    for index in vertices.indices {
      let (a, b) = edge(index)
      let dot = (a + b).normalized.dot(point)
      if dot > bestDot { (best, bestDot) = (index, dot) }
    }
    let (a, b) = edge(best)
    let reference = ((a + b).normalized + a.cross(b).normalized * 1e-9).normalized
    var crossings = 0
    for index in vertices.indices {
      let (c, d) = edge(index)
      if SpherePoint.cross(point, reference, c, d) { crossings += 1 }
    }
    return (crossings % 2 == 0) == isCounterclockwise
  }

  /// Two edges that cross.
  func selfCrossing() -> (Int, Int)? {
    for first in vertices.indices {
      for second in vertices.indices where second > first {
        let (a, b) = edge(first)
        let (c, d) = edge(second)
        if SpherePoint.cross(a, b, c, d) { return (first, second) }
      }
    }
    return nil
  }

  func crosses(_ other: SphereRing) -> Bool {
    for first in vertices.indices {
      for second in other.vertices.indices {
        let (a, b) = edge(first)
        let (c, d) = other.edge(second)
        if SpherePoint.cross(a, b, c, d) { return true }
      }
    }
    return false
  }
}

/// A region that is known to be valid.
enum SphereRegion {
  /// `squaredChord` is the squared straight distance to the farthest points; 4 is the whole sphere.
  case cap(center: SpherePoint, squaredChord: Double)
  case polygon(SphereRing, holes: [SphereRing])

  struct Invalid: Error { let reason: String }

  init(_ shape: GeoShape) throws(Invalid) {
    switch shape {
    case .circle(let center, let radius):
      try SphereRegion.check(center)
      guard radius >= 0 else { throw Invalid(reason: "The radius of a circle must be a non-negative number") }
      let half = sin(min(radius, .pi) / 2)
      self = .cap(center: SpherePoint(longitude: center.longitude, latitude: center.latitude), squaredChord: 4 * half * half)
    case .box, .polygon:
      let rings = shape.rings
      for (index, ring) in rings.enumerated() { try SphereRegion.check(ring, index) }
      let outer = SphereRing(rings[0])
      let holes = rings.dropFirst().map { SphereRing($0) }
      for (index, ring) in ([outer] + holes).enumerated() {
        if let (first, second) = ring.selfCrossing() { throw SphereRegion.crossing(rings[index], index, first, second) }
      }
      for (index, hole) in holes.enumerated()
      where hole.crosses(outer) || !hole.vertices.allSatisfy({ outer.vertices.contains($0) || outer.contains($0) }) {
        throw Invalid(
          reason: "Secondary ring \(index + 1) not contained by first exterior ring - secondary rings must be holes in the first ring")
      }
      self = .polygon(outer, holes: holes)
    }
  }

  private static func check(_ point: GeoPoint) throws(Invalid) {
    guard abs(point.longitude) <= 180, abs(point.latitude) <= 90 else {
      throw Invalid(reason: "Longitude/latitude is out of bounds, lng: \(point.longitude.shortText) lat: \(point.latitude.shortText)")
    }
  }

  private static func check(_ ring: [GeoPoint], _ index: Int) throws(Invalid) {
    for point in ring { try check(point) }
    guard let first = ring.first, let last = ring.last, first == last else {
      throw Invalid(
        reason:
          "Ring is not closed, first vertex 'GeoPoint(\(ring.first?.text ?? ""))' does not equal last vertex 'GeoPoint(\(ring.last?.text ?? ""))'")
    }
    let unique = Set(ring.map { GeoPoint(longitude: $0.longitude, latitude: $0.latitude) }).count
    guard unique >= 3 else {
      throw Invalid(reason: "Ring \(index) must have at least 3 different vertices, \(unique) unique vertices were provided")
    }
  }

  private static func crossing(_ ring: [GeoPoint], _ index: Int, _ first: Int, _ second: Int) -> Invalid {
    func degrees(_ point: GeoPoint) -> String { String(format: "[%.7f, %.7f]", point.latitude, point.longitude) }
    func edge(_ number: Int) -> String { "\(degrees(ring[number]))-\(degrees(ring[number + 1]))" }
    return Invalid(
      reason: "Ring \(index) is not valid: 'Edges \(first) and \(second) cross. Edge locations in degrees: \(edge(first)) and \(edge(second))'")
  }

  func contains(longitude: Double, latitude: Double) -> Bool {
    guard abs(longitude) <= 180, abs(latitude) <= 90 else { return false }
    let point = SpherePoint(longitude: longitude, latitude: latitude)
    switch self {
    case .cap(let center, let squaredChord):
      let difference = point - center
      return difference.dot(difference) <= squaredChord || squaredChord >= 4
    case .polygon(let outer, let holes): return outer.contains(point) && !holes.contains { $0.contains(point) }
    }
  }
}
