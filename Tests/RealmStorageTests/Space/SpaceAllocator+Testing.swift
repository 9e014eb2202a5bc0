@testable import RealmStorage

extension SpaceAllocator {
  /// In the middle of a commit on the version with this free list.
  init(_ free: FreeSpace, oldest: UInt64, limit: UInt64? = nil, releasing released: [FileBlock] = [], version: UInt64 = 0) throws {
    self.init(free)
    try self.free(released, version: version, path: "p")
    begin(oldest: oldest, limit: limit)
  }
}
