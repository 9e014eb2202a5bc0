import RealmQuery
package import RealmStorage

extension Table {
  /// Stores what was prepared. The primary key is left alone.
  /// - Parameter notes: is told of elements that a set has already.
  package func store(_ key: ObjectKey, _ fields: [PreparedField], notes: ConversionNotes? = nil) throws(StorageError) {
    for field in fields where field.column.key != state.primaryKey {
      switch field.value {
      case .value(let value): try set(key, field.column.key, value)
      case .object(let inner):
        let embedded = try setEmbedded(key, field.column.key)
        try group.table(field.column.oppositeTable).store(embedded, inner, notes: notes)
      case .elements, .entries:
        if !field.column.isCollection {
          // Null first, or the collection that was there stays.
          try set(key, field.column.key, .null)
          if case .elements = field.value { try set(key, field.column.key, .list(.null)) } else { try set(key, field.column.key, .dictionary(.null)) }
        }
        let collection = try collection(key, field.column.key)
        if field.column.isCollection { try collection.removeAll() }
        notes?.enter(SchemaNames.text(field.column.name))
        defer { notes?.leave() }
        try collection.store(field.value, notes)
      }
    }
  }
}

extension ObjectCollection {
  /// An object by its primary key, which is what was written.
  private func shown(_ value: Value) throws(StorageError) -> String {
    guard case .link(let key) = value else { return value.queryText }
    let target = try table.group.table(column.oppositeTable)
    guard let primaryKey = target.primaryKeyColumn else { return value.queryText }
    return try target.value(key, primaryKey.key).queryText
  }

  /// Fills an empty collection.
  fileprivate func store(_ prepared: PreparedValue, _ notes: ConversionNotes?) throws(StorageError) {
    switch prepared {
    case .elements(let elements):
      for (index, element) in elements.enumerated() {
        switch element {
        case .value(let value):
          if !column.isSet { try append(value) } else if try !insert(value).isNew { try notes?.add("twice", shown(value), "is in the set already") }
        case .object(let fields): try table.group.table(column.oppositeTable).store(insertEmbedded(at: index), fields, notes: notes)
        case .elements:
          try append(.list(.null))
          try nested(step(at: index)).store(element, notes)
        case .entries:
          try append(.dictionary(.null))
          try nested(step(at: index)).store(element, notes)
        }
      }
    case .entries(let entries):
      for (key, element) in entries {
        switch element {
        case .value(let value): try set(key: key, value)
        case .object(let fields): try table.group.table(column.oppositeTable).store(setEmbedded(key: key), fields, notes: notes)
        case .elements:
          try set(key: key, .list(.null))
          try nested(.key(key)).store(element, notes)
        case .entries:
          try set(key: key, .dictionary(.null))
          try nested(.key(key)).store(element, notes)
        }
      }
    case .value, .object: break
    }
  }
}
