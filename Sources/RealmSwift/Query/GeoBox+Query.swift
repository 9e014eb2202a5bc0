import RealmQuery

extension GeoBox {
  var queryShape: GeoShape { .box(bottomLeft.queryPoint, topRight.queryPoint) }
}
