/// What the tree does not obey yet: for each rule and area of the tree, how many places.
///
/// A number may only become smaller. Whoever mends places takes them off here; nobody adds any.
enum KnownViolations {
  static let counts: [String: [String: Int]] = [
    "environment": ["Tests/RealmQueryTests": 2, "Tests/RealmStorageTests": 7, "Tests/RealmSwiftTests": 1],
    "extension files": ["Sources/RealmStorage": 3],
    "file length": ["Tests/RealmStorageTests": 1],
    "function length": ["Tests/RealmStorageTests": 3, "Tests/RealmSwiftTests": 1],
    "slot names": ["Sources/RealmInspection": 3, "Sources/RealmQuery": 1, "Sources/RealmStorage": 113],
    "unsafe list": ["Sources/RealmSwift": 5],
  ]

  /// `Sources/RealmSwift` of a file in it.
  static func area(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count < 3 ? String(parts.first ?? "") : "\(parts[0])/\(parts[1])"
  }
}
