@testable import RealmStorage

extension MixedLeaf {
  /// All identities in use.
  func keys() throws -> Set<Int64> { Set(try (0..<count).map { try key($0) }.filter { $0 != 0 }) }
}
