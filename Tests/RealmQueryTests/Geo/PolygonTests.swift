import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Which rings are a polygon (Q12.3). The texts are those of realm-core 14.14.
@Suite struct PolygonTests {
  private static let outer = square(0, 0, 20)

  private static func square(_ x: Double, _ y: Double, _ size: Double) -> [GeoPoint] {
    ring((x, y), (x + size, y), (x + size, y + size), (x, y + size))
  }
  private static func ring(_ places: (Double, Double)...) -> [GeoPoint] {
    let points = places.map { GeoPoint(longitude: $0.0, latitude: $0.1) }
    return points + points.prefix(1)
  }

  private func fault(_ rings: [GeoPoint]...) -> String? {
    do throws(SphereRegion.Invalid) { _ = try SphereRegion(.polygon(rings)) } catch { return error.reason }
    return nil
  }

  @Test func `holes may touch the outside and each other at single vertices`() {
    #expect(fault(Self.outer) == nil)
    #expect(fault(Self.outer, Self.square(5, 5, 5)) == nil)
    #expect(fault(Self.outer, Self.square(5, 5, 5).reversed()) == nil)
    #expect(fault(Self.outer, Self.ring((0, 0), (5, 5), (5, 2))) == nil)
    #expect(fault(Self.outer, Self.square(5, 5, 5), Self.square(10, 10, 5)) == nil)
  }

  @Test func `rings with common edges are refused`() {
    func duplicate(_ places: String) -> String { "Polygon isn't valid: 'Duplicate edge: \(places)'" }
    let hole = Self.square(5, 5, 5)
    #expect(fault(Self.outer, hole, Self.square(10, 5, 5)) == duplicate("ring 2, edge 3 and ring 1, edge 1"))
    #expect(fault(Self.outer, hole, hole) == duplicate("ring 2, edge 0 and ring 1, edge 0"))
    #expect(fault(Self.outer, Self.outer.reversed()) == duplicate("ring 1, edge 0 and ring 0, edge 1"))
  }

  @Test func `holes that touch the outside twice are refused`() {
    let fault = fault(Self.outer, Self.ring((0, 0), (10, 5), (20, 20), (15, 5)))
    #expect(fault == "Polygon is not normalized: 'Ring 1 shares more than one vertex with its parent ring 0'")
  }

  @Test func `holes in holes are refused, in whatever order they come`() {
    #expect(fault(Self.outer, Self.square(5, 5, 5), Self.square(7, 7, 1)) == "Polygon interior rings cannot be nested: 2")
    #expect(fault(Self.outer, Self.square(7, 7, 1), Self.square(5, 5, 5)) == "Polygon interior rings cannot be nested: 2")
  }

  @Test func `holes that cross each other or leave the outside are refused`() {
    #expect(fault(Self.outer, Self.square(5, 5, 5), Self.square(7, 7, 5)) == "Polygon isn't valid: 'Ring 1 crosses ring 2'")
    let outside = "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring"
    #expect(fault(Self.outer, Self.square(15, 5, 10)) == outside)
    #expect(fault(Self.outer, Self.square(20, 20, 5)) == outside)
  }

  @Test func `vertices count once in a row and may not come back`() {
    #expect(fault(Self.ring((0, 0), (10, 0), (10, 0), (10, 10))) == nil)
    #expect(fault(Self.ring((0, 0), (10, 0), (0, 0), (10, 10))) == "Ring 0 is not valid: 'Duplicate vertices: 0 and 2'")
    #expect(fault(Self.ring((0, 0), (0, 0))) == "Ring 0 must have at least 3 different vertices, 0 unique vertices were provided")
    #expect(fault(Self.ring((0, 0), (10, 0))) == "Ring 0 must have at least 3 different vertices, 2 unique vertices were provided")
    #expect(fault([]) == "Ring has no vertices")
    #expect(fault() == "Polygon has no rings.")
  }

  @Test func `a flat ring holds nothing`() throws {
    let region = try SphereRegion(.polygon([Self.ring((0, 0), (10, 0), (20, 0))]))
    for place in [(5.0, 1.0), (5, -1), (100, 50), (-170, -80)] { #expect(!region.contains(longitude: place.0, latitude: place.1)) }
  }

  @Test func `a place on the edge of two neighbours lies in one of them`() throws {
    let west = try SphereRegion(.polygon([Self.square(0, 0, 10)]))
    let east = try SphereRegion(.polygon([Self.square(10, 0, 10)]))
    for latitude in stride(from: 0.5, to: 10, by: 0.5) {
      #expect(west.contains(longitude: 10, latitude: latitude) != east.contains(longitude: 10, latitude: latitude), "\(latitude)")
    }
  }

  @Test func `points are embedded objects`() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let place = try group.addTable("class_Place")
      try place.addColumn(ColumnDefinition("type", .string))
      try place.addColumn(ColumnDefinition("coordinates", .double, .list))
      try place.addColumn(ColumnDefinition("near", .link, .nullable, target: place.key))
    }
    let group = try database.snapshot().openGroup()
    let table = try #require(try group.table(named: "class_Place"))
    for dialect in [Query.Dialect.rql, .format] {
      let query = Query(
        .geoWithin(PropertyOperand(QueryPath("near")), .shape(.circle(center: GeoPoint(longitude: 1, latitude: 2), radius: 0.5))), dialect: dialect)
      let refusal = group.refusal { _ = try query.bind(table, in: group) }
      #expect(refusal == "A GEOWITHIN query can only operate on a link to an embedded class but 'Place' is at the top level")
    }
  }
}
