import Foundation

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
    case .box, .polygon: self = try SphereRegion.polygon(shape.rings)
    }
  }

  static func check(_ point: GeoPoint) throws(Invalid) {
    guard abs(point.longitude) <= 180, abs(point.latitude) <= 90 else {
      throw Invalid(reason: "Longitude/latitude is out of bounds, lng: \(point.longitude.shortText) lat: \(point.latitude.shortText)")
    }
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
