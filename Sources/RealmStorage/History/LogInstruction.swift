/// One instruction of a transaction log: where something changed, not what. H4.
///
/// Everything between a `selectTable` and the next one (or an instruction about a whole table) concerns the objects and columns of that
/// table; the collection instructions concern the collection selected last.
package enum LogInstruction: Equatable, Sendable {
  case insertTable(TableKey)
  case eraseTable(TableKey)
  case renameTable(TableKey)
  case selectTable(TableKey)
  case createObject(ObjectKey)
  case removeObject(ObjectKey)
  case set(ColumnKey, ObjectKey)
  case insertColumn(ColumnKey)
  case eraseColumn(ColumnKey)
  case renameColumn(ColumnKey)
  case selectCollection(ColumnKey, ObjectKey)
  /// `path`: the stable keys of the nested collections on the way, outermost first.
  case selectNestedCollection(ColumnKey, ObjectKey, path: [Int64])
  case collectionInsert(index: Int)
  case collectionSet(index: Int)
  case collectionMove(from: Int, to: Int)
  case collectionErase(index: Int)
  case collectionClear(oldCount: Int)
  case typedLinkChange(ColumnKey, target: TableKey)
}

/// The first byte of an instruction. Source: H4, checked against files of realm-core 14.14.
package enum LogOpcode: UInt8, Sendable, CaseIterable {
  case insertTable = 1, eraseTable = 2, renameTable = 3
  case selectTable = 10, createObject = 11, removeObject = 12, set = 13
  case insertColumn = 20, eraseColumn = 21, renameColumn = 22
  case selectCollection = 30, collectionInsert = 31, collectionSet = 32, collectionMove = 33
  case collectionErase = 35, collectionClear = 36
  // Not written any more; they read as the collection instruction with the same verb.
  case dictionaryInsert = 37, dictionarySet = 38, dictionaryErase = 39
  case setInsert = 40, setErase = 41, setClear = 42
  case typedLinkChange = 43
  case dictionaryClear = 44
  case selectNestedCollection = 45
}
