import Foundation

/// A point of the unit sphere.
struct SpherePoint: Hashable {
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
    // Each one has the ends of the other on different sides.
    let side = turn(a, b, d)
    return side != 0 && turn(a, b, c) == -side && turn(c, d, b) == -side && turn(c, d, a) == side
  }

  /// Like `cross`, but arcs that share an end count as crossing or not in such a way that a chain of arcs through a point is crossed once.
  static func crossOrMeet(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    if a == b || c == d { return false }
    if a == d { return areOrdered(a.perpendicular, c, b, around: a) }
    if b == c { return areOrdered(b.perpendicular, d, a, around: b) }
    if a == c { return areOrdered(a.perpendicular, d, b, around: a) }
    if b == d { return areOrdered(b.perpendicular, c, a, around: b) }
    return cross(a, b, c, d)
  }

  /// Whether three directions follow each other counterclockwise; equal ones may.
  static func areOrdered(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, around apex: SpherePoint) -> Bool {
    var count = 0
    if turn(b, apex, a) >= 0 { count += 1 }
    if turn(c, apex, b) >= 0 { count += 1 }
    if turn(a, apex, c) > 0 { count += 1 }
    return count >= 2
  }

  /// Some direction at a right angle, always the same one, and in no plane that the coordinates of places are likely to lie in.
  var perpendicular: SpherePoint {
    let sizes = (abs(x), abs(y), abs(z))
    let other: SpherePoint =
      if sizes.0 > sizes.1 {
        sizes.0 > sizes.2 ? SpherePoint(0.012, 0.0053, 1) : SpherePoint(0.012, 1, 0.00457)
      } else {
        sizes.1 > sizes.2 ? SpherePoint(1, 0.0053, 0.00457) : SpherePoint(0.012, 1, 0.00457)
      }
    return cross(other).normalized
  }
}
