package import Changesets

/// A changeset, and what decides which of two changes of the same thing is the later one.
package struct OriginatedChangeset: Sendable {
  package var changeset: Changeset
  let origin: Origin

  /// When and where a changeset was made. Never its arrival: everybody has to find the same order.
  struct Origin: Comparable, Sendable {
    let timestamp: Int64
    let file: UInt64

    static func < (left: Self, right: Self) -> Bool { (left.timestamp, left.file) < (right.timestamp, right.file) }
  }

  /// A changeset as it was recorded, or as an earlier merge left it.
  /// - Parameter timestamp: by the clock of the file that it comes from, in milliseconds since the epoch of the protocol, the start of 2015.
  /// - Parameter file: the identifier of that file, never 0: a file's own changes need its real one.
  package init(_ changeset: Changeset, timestamp: Int64, file: UInt64) {
    self.changeset = changeset
    origin = Origin(timestamp: timestamp, file: file)
  }

  /// By the clock of the file that it comes from, in milliseconds since the epoch of the protocol.
  package var timestamp: Int64 { origin.timestamp }
  /// The identifier of the file that it comes from.
  package var file: UInt64 { origin.file }
}
