import RealmQuery

extension GeoPolygon {
  var queryShape: GeoShape { .polygon(([outerRing] + holes).map { ring in ring.map(\.queryPoint) }) }
}
