extension Table {
  /// The rules of this table (``GroupCheck``): its schema, objects, tombstones, collections and indexes, its links against the backlinks of
  /// other tables, and its backlinks against their links.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package func check() throws(StorageError) { try group.check(only: key) }
}
