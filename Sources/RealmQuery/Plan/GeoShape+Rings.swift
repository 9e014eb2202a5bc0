extension GeoShape {
  /// Of boxes and polygons; a box is the polygon of its corners.
  var rings: [[GeoPoint]] {
    switch self {
    case .box(let a, let b):
      let corner = GeoPoint(longitude: a.longitude, latitude: a.latitude)
      return [
        [
          corner, GeoPoint(longitude: a.longitude, latitude: b.latitude), GeoPoint(longitude: b.longitude, latitude: b.latitude),
          GeoPoint(longitude: b.longitude, latitude: a.latitude), corner,
        ]
      ]
    case .polygon(let rings): return rings
    case .circle: return []
    }
  }

  /// As messages print it.
  var text: String {
    if case .circle(let center, let radius) = self { return "GeoCircle(\(center.text), \(radius.shortText))" }
    return "GeoPolygon(" + rings.map { "{" + $0.map(\.text).joined(separator: ", ") + "}" }.joined(separator: ", ") + ")"
  }
}
