/// Degrees; the altitude has no influence.
package struct GeoPoint: Sendable, Hashable {
  package var longitude: Double
  package var latitude: Double
  package var altitude: Double?
  package init(longitude: Double, latitude: Double, altitude: Double? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.altitude = altitude
  }
}

/// A region of the sphere whose edges are geodesics (Q12.3).
package enum GeoShape: Sendable, Hashable {
  case box(GeoPoint, GeoPoint)
  /// The first ring is the outside, the others are holes. First and last vertex of a ring are the same.
  case polygon([[GeoPoint]])
  /// In radians: distance divided by 6,378,100 m.
  case circle(center: GeoPoint, radius: Double)
}

package enum GeoOperand: Sendable {
  case shape(GeoShape)
  /// A shape, or the text of one.
  case argument(Int)
}
