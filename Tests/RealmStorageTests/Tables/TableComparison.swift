import Testing

@testable import RealmStorage

/// Compares everything that an engine's group holds with a model.
struct TableComparison {
  let group: Group
  let model: TableModel
  /// Of every so many objects, one is looked up in every index.
  var indexStride = 7

  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  private func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw Difference(description: text()) }
  }

  func run() throws {
    let keys = try group.tableKeys()
    try require(Set(keys) == Set(model.tables.keys), "tables \(keys.map(\.rawValue))")
    let links = model.incomingLinks()
    for key in keys {
      let (table, expected) = (try group.table(key), model.tables[key]!)
      do {
        try compareSchema(table, expected)
        try compareObjects(table, expected)
        try compareBacklinks(table, expected, links)
        try compareIndexes(table, expected)
      } catch let difference as Difference {
        throw Difference(description: "table '\(expected.name)': \(difference)")
      }
    }
  }

  private func compareSchema(_ table: Table, _ expected: ModelTable) throws {
    try require(table.nameText == expected.name && table.kind == expected.kind, "name '\(table.nameText)'")
    try require(table.publicColumns.map(\.key) == expected.columns.map(\.key), "columns")
    try require(table.state.primaryKey == expected.primaryKey, "primary key")
    for (column, other) in zip(table.publicColumns, expected.columns) {
      try require(String(decoding: column.name, as: UTF8.self) == other.name, "column name '\(other.name)'")
      try require(column.isCollection || column.attributes.contains(.indexed) == other.isIndexed, "'\(other.name)' indexed")
      try require(column.attributes.contains(.fullTextIndexed) == other.isFullText, "'\(other.name)' full-text indexed")
      try require(column.isNullable == other.isNullable && column.type == other.type, "'\(other.name)' type")
    }
  }

  private func compareObjects(_ table: Table, _ expected: ModelTable) throws {
    let keys = try table.keys()
    try require(keys == expected.objects.keys.sorted(), "keys: \(keys.count) instead of \(expected.objects.count)")
    try require(try table.count() == keys.count, "count")
    let tombstones = try table.tombstoneKeys()
    try require(Set(tombstones) == Set(expected.tombstones.keys), "tombstones \(tombstones) instead of \(expected.tombstones)")
    for (key, value) in expected.tombstones {
      guard let column = expected.primaryKey else { continue }
      try require(try table.value(key, column).isIdentical(to: value), "primary key of tombstone \(key)")
    }
    for key in keys {
      for column in expected.columns {
        let actual = try Self.value(table, key, column.key)
        let wanted = expected[key, column.key]
        if case .scalar(let one) = actual, case .scalar(let other) = wanted, one.isIdentical(to: other) { continue }
        try require(
          actual.identityText == wanted.identityText,
          "object \(key.rawValue), '\(column.name)': \(actual.identityText.prefix(600)) instead of \(wanted.identityText.prefix(600))")
      }
    }
  }

  /// A property as the model would have it.
  static func value(_ table: Table, _ key: ObjectKey, _ columnKey: ColumnKey) throws -> ModelValue {
    let column = try table.column(columnKey)
    if column.isCollection { return try elements(table.collection(key, columnKey), column) }
    let value = try table.value(key, columnKey)
    return value.isNestedCollection ? try elements(table.collection(key, columnKey), column) : .scalar(value)
  }

  private static func elements(_ collection: ObjectCollection, _ column: ColumnDescription) throws -> ModelValue {
    let kind = try collection.kind()
    var elements: [ModelValue] = []
    for (index, value) in try collection.all().enumerated() {
      if value.isNestedCollection {
        let step: PathStep = kind == .dictionary ? .key(try collection.key(at: index)) : .index(index)
        elements.append(try self.elements(collection.nested(step), column))
      } else if column.type == .link, case .typedLink(let link) = value {
        elements.append(.scalar(.link(link.key)))
      } else {
        elements.append(.scalar(value))
      }
    }
    switch kind {
    case .list: return .list(elements)
    case .set: return .set(elements)
    case .dictionary:
      return .dictionary(try elements.enumerated().map { ModelEntry(key: try collection.key(at: $0.offset), value: $0.element) })
    }
  }

  private func compareBacklinks(
    _ table: Table, _ expected: ModelTable, _ links: [ObjectLink: [TableModel.Origin: [ObjectKey]]]
  ) throws {
    for key in expected.order + Array(expected.tombstones.keys) {
      var wanted = links[ObjectLink(table: table.key, key: key)] ?? [:]
      for column in table.backlinkColumns {
        let origin = TableModel.Origin(table: column.oppositeTable, column: column.oppositeColumn)
        let origins = (wanted.removeValue(forKey: origin) ?? []).sorted()
        try require(try table.backlinks(key, column.key).sorted() == origins, "backlinks of \(key.rawValue)")
      }
      try require(wanted.isEmpty, "object \(key.rawValue) lacks a backlink column")
    }
  }

  private func compareIndexes(_ table: Table, _ expected: ModelTable) throws {
    if let primaryKey = expected.primaryKey {
      for key in expected.order {
        guard case .scalar(let value) = expected[key, primaryKey] else { continue }
        try require(try table.find(primaryKey: value) == key, "the primary key \(value) does not lead to \(key.rawValue)")
      }
    }
    for column in expected.columns where column.isIndexed && !column.isCollection {
      // A link to a tombstone reads as null.
      var holders: [String: [ObjectKey]] = [:]
      for key in expected.order {
        if case .scalar(let value) = expected[key, column.key] { holders[identity(value.asIndexed), default: []].append(key) }
      }
      for (position, key) in expected.order.enumerated() where position % indexStride == 0 {
        guard case .scalar(let stored) = expected[key, column.key] else { continue }
        let value = stored.asIndexed
        // Each value once.
        guard let same = holders.removeValue(forKey: identity(value)) else { continue }
        let found = try table.indexedObjects(column.key, equalTo: value)
        let inOrder = found.filter(Set(same).contains)
        try require(inOrder == inOrder.sorted(), "index of '\(column.name)': \(value) finds \(found.map(\.rawValue)), not in order")
        try require(
          Set(same).isSubset(of: found) && (column.type == .mixed || same.count == found.count),
          "index of '\(column.name)': \(value) finds \(found.map(\.rawValue)) instead of \(same.map(\.rawValue))")
      }
    }
    for column in expected.columns where column.isFullText {
      for word in ["apple", "kit", "kitten", "x"] {
        let same = expected.order.filter {
          guard case .scalar(.string(let bytes)) = expected[$0, column.key] else { return false }
          return Tokenizer.tokens(of: bytes).contains(Array(word.utf8))
        }
        let found = try table.fullTextObjects(column.key, word: word)
        try require(found.sorted() == same.sorted(), "full-text index of '\(column.name)': '\(word)'")
      }
    }
  }
}
