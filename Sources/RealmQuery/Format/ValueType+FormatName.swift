extension ValueType {
  /// As the SDK's messages name it.
  var formatName: String {
    switch self {
    case .timestamp: "date"
    case .binary: "data"
    case .objectID: "object id"
    case .link, .typedLink: "object"
    default: name
    }
  }
}
