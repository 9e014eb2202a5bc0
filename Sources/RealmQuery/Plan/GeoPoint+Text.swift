extension GeoPoint {
  /// As messages print it.
  var text: String { "[\(longitude.shortText), \(latitude.shortText)" + (altitude.map { ", \($0.shortText)" } ?? "") + "]" }
}
