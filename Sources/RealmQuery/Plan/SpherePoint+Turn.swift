// On which side of an arc a point lies, also where it lies on the arc as far as numbers tell: the answers are those of the original's library, so
// that both call the same rings crossed.
extension SpherePoint {
  /// 1 if the way from a over b to c turns to the left, -1 if to the right; 0 if two of the points are the same.
  static func turn(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Int {
    let determinant = a.cross(b).dot(c)
    // More than rounding can make of nothing.
    if abs(determinant) > 0.8e-15 { return determinant > 0 ? 1 : -1 }
    if a == b || b == c || a == c { return 0 }
    let volume = nearVolume(a, b, c)
    if volume != 0 { return volume > 0 ? 1 : -1 }
    // Points of one plane through the middle: as if each was moved by the same tiny amount, most along the first axis.
    for plane in [planar(a, b, c, \.y, \.z), planar(a, b, c, \.z, \.x), planar(a, b, c, \.x, \.y)] where plane != 0 { return plane }
    return 0
  }

  /// The determinant of points that nearly lie on one arc, from differences of the points: these are exact where points are close to each other,
  /// or to each other's opposite.
  private static func nearVolume(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Double {
    let ab = Difference(a, b)
    let bc = Difference(b, c)
    let ca = Difference(c, a)
    // From the point that is not on the longest side; of equal sides the points' order decides.
    if ca.squaredLength < bc.squaredLength || ca.squaredLength == bc.squaredLength && a.precedes(b) {
      if ab.squaredLength < bc.squaredLength || ab.squaredLength == bc.squaredLength && a.precedes(c) {
        return ab.vector.cross(ca.vector).dot(a) * ab.sign
      }
    } else if ab.squaredLength < ca.squaredLength || ab.squaredLength == ca.squaredLength && b.precedes(c) {
      return bc.vector.cross(ab.vector).dot(b) * bc.sign
    }
    return ca.vector.cross(bc.vector).dot(c) * ca.sign
  }

  /// The shorter one of a - b and a + b.
  private struct Difference {
    let sign: Double
    let vector: SpherePoint
    let squaredLength: Double

    init(_ a: SpherePoint, _ b: SpherePoint) {
      sign = a.dot(b) > 0 ? -1 : 1
      vector = a + b * sign
      squaredLength = vector.dot(vector)
    }
  }

  private func precedes(_ other: SpherePoint) -> Bool { (x, y, z) < (other.x, other.y, other.z) }

  /// Whether the shadows of three points on a plane go round the middle to the left or to the right.
  private static func planar(
    _ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ first: KeyPath<SpherePoint, Double>, _ second: KeyPath<SpherePoint, Double>
  ) -> Int {
    let shadows = [a, b, c].map { ($0[keyPath: first], $0[keyPath: second]) }
    return (planarTurn(shadows[0], shadows[1]) + planarTurn(shadows[1], shadows[2]) + planarTurn(shadows[2], shadows[0])).signum()
  }

  private static func planarTurn(_ a: (Double, Double), _ b: (Double, Double)) -> Int {
    let sign: Double = a.0 * b.0 + a.1 * b.1 > 0 ? -1 : 1
    let difference = (a.0 + sign * b.0, a.1 + sign * b.1)
    let (lengthA, lengthB) = (a.0 * a.0 + a.1 * a.1, b.0 * b.0 + b.1 * b.1)
    let turn =
      lengthA < lengthB || lengthA == lengthB && a < b
      ? (a.0 * difference.1 - a.1 * difference.0) * sign : difference.0 * b.1 - difference.1 * b.0
    return turn > 0 ? 1 : turn < 0 ? -1 : 0
  }
}
