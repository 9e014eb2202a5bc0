/// What the tree does not obey yet: for each rule and area of the tree, how many places.
///
/// A number may only become smaller. Whoever mends places takes them off here; nobody adds any.
enum KnownViolations {
  static let counts: [String: [String: Int]] = [
    "function length": ["Tests/RealmStorageTests": 3, "Tests/RealmSwiftTests": 1]
  ]

  /// `Sources/RealmSwift` of a file in it.
  static func area(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count < 3 ? String(parts.first ?? "") : "\(parts[0])/\(parts[1])"
  }
}
