import Testing

@testable import RealmSwift

@Test(
  arguments: [
    (90, 0, 0), (-90, 180, 500), (12.3, -180, 0), (0, 0, .infinity),
  ] as [(Double, Double, Double)])
func pointsWithinTheirRangesExist(_ latitude: Double, _ longitude: Double, _ altitude: Double) {
  let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude)
  #expect(point?.latitude == latitude && point?.longitude == longitude && point?.altitude == altitude)
}

@Test(
  arguments: [
    (90.000000001, 0, 0), (-90.000000001, 0, 0), (0, 180.000000001, 0), (0, -9_999_999, 0), (.nan, 0, 0), (0, .nan, 0), (0, 0, .nan),
    (0, 0, -1), (.infinity, 0, 0),
  ] as [(Double, Double, Double)])
func pointsOutsideOfTheirRangesDoNot(_ latitude: Double, _ longitude: Double, _ altitude: Double) {
  #expect(GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) == nil)
}

@Test func boxesAndCirclesCheckTheirPoints() throws {
  let box = try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)))
  let corner = try #require(GeoPoint(latitude: -90, longitude: -180))
  #expect(box == GeoBox(bottomLeft: corner, topRight: box.topRight))
  #expect(GeoBox(bottomLeft: (-91, 0), topRight: (0, 0)) == nil && GeoBox(bottomLeft: (0, 0), topRight: (0, 181)) == nil)
  let center = try #require(GeoPoint(latitude: 0, longitude: 70))
  #expect(GeoCircle(center: center, radiusInRadians: 500) != nil && GeoCircle(center: (0, 70), radiusInRadians: 0) != nil)
  #expect(GeoCircle(center: center, radiusInRadians: .nan) == nil && GeoCircle(center: (0, 70), radiusInRadians: -1) == nil)
  let radius = try #require(Distance.kilometers(10))
  #expect(GeoCircle(center: center, radius: radius) == GeoCircle(center: (0, 70), radius: radius))
  #expect(GeoCircle(center: (0, 190), radius: radius) == nil)
}

@Test func polygonsNeedClosedRingsOfFourPoints() throws {
  let ring = [(0.0, 0.0), (1, 1), (2, 0), (0, 0)]
  let points = try ring.map { try #require(GeoPoint(latitude: $0.0, longitude: $0.1)) }
  #expect(GeoPolygon(outerRing: points)?.outerRing == points)
  #expect(GeoPolygon(outerRing: points, holes: nil)?.holes == [])
  #expect(GeoPolygon(outerRing: points, holes: [points])?.holes == [points])
  #expect(GeoPolygon(outerRing: ring) == GeoPolygon(outerRing: points))
  #expect(GeoPolygon(outerRing: ring, holes: [ring])?.holes.count == 1)
  #expect(GeoPolygon(outerRing: ring, holes: ring, ring)?.holes.count == 2)
  #expect(GeoPolygon(outerRing: Array(points.prefix(3))) == nil)
  #expect(GeoPolygon(outerRing: [points[0], points[1], points[0]]) == nil)
  #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 0), (3, 3)]) == nil)
  #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (200, 0), (0, 0)]) == nil)
  #expect(GeoPolygon(outerRing: ring, holes: [[(0, 0)]]) == nil)
  #expect(GeoPolygon(outerRing: ring, holes: ring, [(0, 0), (1, 1), (2, 2), (3, 3)]) == nil)
}

@Test func distancesConvert() throws {
  let around = try #require(Distance.kilometers(40_075))
  #expect(abs(around.radians / (2 * .pi) - 1) < 0.0001 && abs(around.asKilometers() - 40_075) < 1e-6)
  #expect(try abs(#require(Distance.miles(24_901)).asMiles() - 24_901) < 1e-6)
  #expect(try #require(Distance.degrees(180)).radians == .pi && #require(Distance.radians(.pi)).asDegrees() == 180)
  #expect(try abs(#require(Distance.miles(1)).asKilometers() - 1.609344) < 1e-12)
  for make in [Distance.kilometers, Distance.miles, Distance.degrees, Distance.radians] {
    #expect(make(0)?.radians == 0 && make(-1) == nil && make(.nan) == nil)
  }
}
