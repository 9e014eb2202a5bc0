/// What the tree does not obey yet: for each rule and area of the tree, how many places.
///
/// A number may only become smaller. Whoever mends places takes them off here; nobody adds any.
enum KnownViolations {
  static let counts: [String: [String: Int]] = [
    "SAFETY": ["Sources/RealmStorage": 9, "Sources/RealmSwift": 3],
    "documentation": ["Sources/EngineWorkloads": 25, "Sources/Randomness": 2, "Sources/RealmSwift": 5],
    "environment": ["Tests/RealmQueryTests": 2, "Tests/RealmStorageTests": 7, "Tests/RealmSwiftTests": 1],
    "extension files": [
      "Benchmarks/Sources": 4, "Sources/RealmInspection": 3, "Sources/RealmQuery": 71, "Sources/RealmStorage": 62, "Sources/RealmSwift": 162,
      "Sources/conformance": 1, "Sources/realm": 3, "Sources/regnum-fuzz": 4, "Sources/regnum-test-agent": 1,
    ],
    "file length": ["Tests/RealmStorageTests": 1],
    "floors": ["Sources/RealmStorage": 44],
    "function length": ["Benchmarks/Sources": 2, "Examples/Client": 1, "Tests/RealmStorageTests": 3, "Tests/RealmSwiftTests": 1],
    "slot names": ["Sources/RealmStorage": 30],
    "strangers": ["Benchmarks": 1, "Benchmarks/Sources": 1, "Documentation": 1],
    "unsafe files": [
      "Sources/EngineWorkloads": 1, "Sources/Randomness": 1, "Sources/RealmInspection": 6, "Sources/RealmStorage": 10, "Sources/RealmSwift": 29,
      "Sources/realm": 3, "Sources/regnum-fuzz": 2, "Sources/regnum-test-agent": 5,
    ],
    "unused names": ["Sources/RealmInspection": 2, "Sources/RealmQuery": 2, "Sources/RealmStorage": 2, "Sources/RealmSwift": 2],
    "version": ["Sources/conformance": 1, "Sources/realm": 1],
  ]

  /// `Sources/RealmSwift` of a file in it.
  static func area(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.count < 3 ? String(parts.first ?? "") : "\(parts[0])/\(parts[1])"
  }
}
