/// Regions on the sphere of the Earth, for `geoWithin` queries. Tuples are (latitude, longitude), in degrees.

/// A point on the Earth.
public struct GeoPoint: Sendable, Equatable {
  /// Degrees north, from -90 to 90.
  public let latitude: Double
  /// Degrees east, from -180 to 180.
  public let longitude: Double
  /// Not negative; no query looks at it.
  public let altitude: Double

  /// Nil if a coordinate is NaN or out of its range.
  public init?(latitude: Double, longitude: Double) { self.init(latitude: latitude, longitude: longitude, altitude: 0) }

  /// Nil if a coordinate is NaN or out of its range, or the altitude is NaN or negative.
  public init?(latitude: Double, longitude: Double, altitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// A region that `geoWithin` takes: `GeoBox`, `GeoPolygon`, `GeoCircle`. Nothing else can be one.
public protocol RLMGeospatial: Sendable {}

/// The region between two corners.
public struct GeoBox: RLMGeospatial, Sendable, Equatable {
  /// The corner in the south and west.
  public let bottomLeft: GeoPoint
  /// The corner in the north and east.
  public let topRight: GeoPoint

  /// Takes the corners as they are; that one lies north and east of the other is not checked.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Nil if one of the corners is no point.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }
}

/// A polygon that may have holes. Every ring has at least four points and ends at the point at which it begins.
public struct GeoPolygon: RLMGeospatial, Sendable, Equatable {
  /// The boundary. First and last point are the same.
  public let outerRing: [GeoPoint]
  /// Rings within the boundary whose inside does not belong to the polygon.
  public let holes: [[GeoPoint]]

  /// Nil if the ring is not closed or has less than four points.
  public init?(outerRing: [GeoPoint]) { self.init(outerRing: outerRing, holes: nil) }

  /// Nil if one of the rings is not closed or has less than four points.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) {
    let holes = holes ?? []
    guard Self.isRing(outerRing), holes.allSatisfy(Self.isRing) else { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Nil if one of the rings is not closed, has less than four points, or contains something that is no point.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    guard let outerRing = Self.points(outerRing) else { return nil }
    let rings = holes.compactMap(Self.points)
    guard rings.count == holes.count else { return nil }
    self.init(outerRing: outerRing, holes: rings)
  }

  /// Nil if one of the rings is not closed, has less than four points, or contains something that is no point.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes as [[(Double, Double)]])
  }

  private static func isRing(_ points: [GeoPoint]) -> Bool { points.count > 3 && points.first == points.last }

  private static func points(_ tuples: [(Double, Double)]) -> [GeoPoint]? {
    let points = tuples.compactMap { GeoPoint($0) }
    return points.count == tuples.count ? points : nil
  }
}

/// A distance along the surface of the Earth, as the angle at its centre.
public struct Distance: Sendable, Equatable {
  private static let earthRadiusInMeters = 6_378_100.0
  private static let metersPerMile = 1609.344

  /// The angle at the centre of the Earth. Not negative.
  public let radians: Double

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Nil if NaN or negative.
  public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers * 1000 / earthRadiusInMeters) }

  /// Nil if NaN or negative.
  public static func miles(_ miles: Double) -> Distance? { Distance(miles * metersPerMile / earthRadiusInMeters) }

  /// Nil if NaN or negative.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

  /// Nil if NaN or negative.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

  /// In kilometres, for an Earth with a radius of 6,378.1 km.
  public func asKilometers() -> Double { radians * Self.earthRadiusInMeters / 1000 }

  /// In miles of 1,609.344 m, for an Earth with a radius of 6,378.1 km.
  public func asMiles() -> Double { radians * Self.earthRadiusInMeters / Self.metersPerMile }

  /// In degrees of the angle at the centre of the Earth.
  public func asDegrees() -> Double { radians * 180 / .pi }
}

/// All points up to a distance from a centre.
public struct GeoCircle: RLMGeospatial, Sendable, Equatable {
  /// The centre of the circle.
  public let center: GeoPoint
  /// The largest distance from the centre that belongs to the circle, as the angle at the centre of the Earth. Not negative.
  public let radiusInRadians: Double

  /// Nil if the radius is NaN or negative.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    self.radiusInRadians = radiusInRadians
  }

  /// A circle with a radius that is already known to be sound.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radiusInRadians = radius.radians
  }

  /// Nil if the centre is no point, or the radius is NaN or negative.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }

  /// Nil if the centre is no point.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }
}

extension GeoPoint {
  fileprivate init?(_ tuple: (Double, Double)) { self.init(latitude: tuple.0, longitude: tuple.1) }
}
