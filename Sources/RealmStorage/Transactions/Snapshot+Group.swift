extension Snapshot {
  /// The tables of this version; valid while the snapshot lives.
  package func openGroup() throws(StorageError) -> Group { try Group(reading: space, top: topRef) }
}
