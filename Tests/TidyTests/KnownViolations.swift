/// What the tree does not obey yet: for each rule and area of the tree, how many places.
///
/// A number may only become smaller. Whoever mends places takes them off here; nobody adds any.
enum KnownViolations {
  static let counts: [String: [String: Int]] = [
    "SAFETY": ["Sources/RealmSwift": 3],
    "documentation": ["Sources/RealmSwift": 5],
    "environment": ["Tests/RealmQueryTests": 2, "Tests/RealmStorageTests": 7, "Tests/RealmSwiftTests": 1],
    "extension files": ["Sources/RealmQuery": 39, "Sources/RealmStorage": 57, "Sources/RealmSwift": 152],
    "file length": ["Tests/RealmStorageTests": 1],
    "floors": ["Sources/RealmStorage": 44],
    "function length": ["Tests/RealmStorageTests": 3, "Tests/RealmSwiftTests": 1],
    "slot names": [
      "Sources/EngineWorkloads": 3, "Sources/RealmInspection": 3, "Sources/RealmQuery": 1, "Sources/RealmStorage": 154,
      "Sources/regnum-test-agent": 3,
    ],
    "unsafe files": ["Sources/RealmSwift": 29],
    "unused names": ["Sources/RealmQuery": 2, "Sources/RealmStorage": 2, "Sources/RealmSwift": 2],
  ]

  /// `Sources/RealmSwift` of a file in it.
  static func area(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count < 3 ? String(parts.first ?? "") : "\(parts[0])/\(parts[1])"
  }
}
