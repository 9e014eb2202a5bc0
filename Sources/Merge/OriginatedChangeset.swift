package import Changesets

/// A changeset, and what decides which of two changes of the same thing is the later one.
package struct OriginatedChangeset: Sendable {
  package var changeset: Changeset
  /// By the clock of the file that it comes from, in milliseconds since the epoch of the protocol, the start of 2015.
  package let timestamp: Int64
  /// The identifier of that file, never 0: a file's own changes need its real one.
  package let file: UInt64

  /// A changeset as it was recorded, or as an earlier merge left it.
  package init(_ changeset: Changeset, timestamp: Int64, file: UInt64) {
    self.changeset = changeset
    self.timestamp = timestamp
    self.file = file
  }

  /// Never by arrival: everybody has to find the same.
  func isLater(than other: Self) -> Bool { (timestamp, file) > (other.timestamp, other.file) }
}
