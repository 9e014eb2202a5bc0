import RealmQuery

extension GeoPoint {
  var queryPoint: RealmQuery.GeoPoint { RealmQuery.GeoPoint(longitude: longitude, latitude: latitude, altitude: altitude) }
}
