import RealmQuery

extension GeoCircle {
  var queryShape: GeoShape { .circle(center: center.queryPoint, radius: radiusInRadians) }
}
