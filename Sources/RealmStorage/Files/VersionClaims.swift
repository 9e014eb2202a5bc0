/// Who keeps one version of a file, as far as the version list tells. T4.1.
package struct VersionClaims: Hashable, Comparable, Sendable {
  package let snapshot: ListedSnapshot
  package let isNewest: Bool
  /// Participants, the own one included, that read the version and may advance from it; that read it frozen; that want everything since.
  package let live: UInt32
  package let frozen: UInt32
  package let full: UInt32
  /// Claims of this participant, each counted.
  package let ownLive: UInt32
  package let ownFrozen: UInt32

  package var version: UInt64 { snapshot.version }
  package var isHeld: Bool { live > 0 || frozen > 0 || full > 0 }
  package var isHeldByOthers: Bool { liveOfOthers > 0 || frozenOfOthers > 0 || full > 0 }
  /// Participants other than this one.
  package var liveOfOthers: UInt32 { live - min(live, ownLive > 0 ? 1 : 0) }
  package var frozenOfOthers: UInt32 { frozen - min(frozen, ownFrozen > 0 ? 1 : 0) }

  package static func < (a: VersionClaims, b: VersionClaims) -> Bool { a.snapshot < b.snapshot }
}
