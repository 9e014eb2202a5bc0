package import RealmStorage

/// The instructions of a transaction log as people say them.
package struct LogWords {
  private let index: TableIndex
  /// - Parameter index: the tables of the newest version, whose names are used.
  package init(_ index: TableIndex) { self.index = index }

  /// One line for each; equal neighbours become one.
  /// - Throws: `.invalidArgument` for a malformed log.
  package func lines(of bytes: [UInt8]) throws(StorageError) -> [String] {
    var decoder = LogDecoder(bytes)
    var lines: [String] = []
    var (table, place) = (TableKey.null, "")
    while let instruction = try decoder.next() {
      switch instruction {
      case .selectTable(let key): table = key
      case .selectCollection(let column, let object): place = "\(name(table)) #\(object.rawValue).\(name(column, table))"
      case .selectNestedCollection(let column, let object, _): place = "\(name(table)) #\(object.rawValue).\(name(column, table)), inside"
      default: if let line = line(instruction, table, place), line != lines.last { lines.append(line) }
      }
    }
    return lines
  }

  private func line(_ instruction: LogInstruction, _ table: TableKey, _ place: String) -> String? {
    switch instruction {
    case .insertTable(let key): "\(title(key)) is new"
    case .eraseTable(let key): "\(title(key)) was removed"
    case .renameTable(let key): "\(title(key)) was renamed"
    case .insertColumn(let column): "property \(name(table)).\(name(column, table)) is new"
    case .eraseColumn(let column): "property \(name(table)).\(name(column, table)) was removed"
    case .renameColumn(let column): "property \(name(table)).\(name(column, table)) was renamed"
    case .createObject(let key): "\(name(table)) #\(key.rawValue) was added"
    case .removeObject(let key): "\(name(table)) #\(key.rawValue) was deleted"
    case .set(let column, let key): "\(name(table)) #\(key.rawValue).\(name(column, table)) was set"
    case .collectionInsert(let position): "\(place): an element was put in at \(position)"
    case .collectionSet(let position): "\(place): the element at \(position) was replaced"
    case .collectionErase(let position): "\(place): the element at \(position) was taken out"
    case .collectionMove(let from, let to): "\(place): an element moved from \(from) to \(to)"
    case .collectionClear(let count): "\(place): all elements were taken out, \(count)"
    case .typedLinkChange(let column, _): "property \(name(table)).\(name(column, table)) can link to another class now"
    case .selectTable, .selectCollection, .selectNestedCollection: nil
    }
  }

  private func name(_ key: TableKey) -> String { index.name(key).map { SchemaText.className($0) } ?? "class number \(key.rawValue)" }
  /// A table that is no class is called one.
  private func title(_ key: TableKey) -> String {
    index.name(key).map { TableName($0).phrase } ?? name(key)
  }
  private func name(_ column: ColumnKey, _ table: TableKey) -> String {
    index.column(table, column).map { SchemaNames.text($0.name) } ?? "property number \(column.leafIndex)"
  }
}
