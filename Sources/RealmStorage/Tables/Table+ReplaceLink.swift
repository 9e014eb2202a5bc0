// Rewriting a stored link when its target goes or gets another key. The target's backlinks are the caller's.

extension Table {
  /// Replaces one occurrence of a link in a property of object `origin` by another link to the same table, or takes it out.
  func replaceStoredLink(
    _ origin: ObjectKey, _ column: ColumnDescription, from old: ObjectLink, to new: ObjectLink?
  ) throws(StorageError) {
    guard new == nil else {
      // A link that leads to the same object under another key is the same to others.
      return try group.unrecorded { () throws(StorageError) in try replace(origin, column, from: old, to: new) }
    }
    try replace(origin, column, from: old, to: nil)
  }

  private func replace(_ origin: ObjectKey, _ column: ColumnDescription, from old: ObjectLink, to new: ObjectLink?) throws(StorageError) {
    let scratch = try writing()
    if column.isCollection { return try replaceInCollection(origin, column, from: old, to: new) }
    if column.type == .link {
      try store(scratch, origin, column, new.map { .link($0.key) } ?? .null)
      return try noteReplacement(origin, column)
    }
    let value = try row(origin).value(column)
    if case .typedLink(let link) = value, link == old {
      let replacement = new.map { Value.typedLink($0) } ?? .null
      let isIndexed = try hasIndex(column)
      if isIndexed { try removeFromIndex(scratch, origin, column, value) }
      try store(scratch, origin, column, replacement)
      if isIndexed { try insertIntoIndex(scratch, origin, column, replacement) }
      return try noteReplacement(origin, column)
    }
    try replaceNested(ObjectCollection(table: self, object: origin, column: column, path: []), from: old, to: new)
  }

  private func noteReplacement(_ origin: ObjectKey, _ column: ColumnDescription) throws(StorageError) {
    group.log.set(key, column.key, origin)
    if let recorder = group.recorder { try recorder.didSet(self, origin, column.key) }
  }

  private func replaceInCollection(
    _ origin: ObjectKey, _ column: ColumnDescription, from old: ObjectLink, to new: ObjectLink?
  ) throws(StorageError) {
    let collection = ObjectCollection(table: self, object: origin, column: column, path: [])
    if column.type == .mixed && !column.isSet { return try replaceNested(collection, from: old, to: new) }
    guard let index = try collection.firstIndex(of: old) else { throw missingForwardLink(origin, column) }
    if column.isDictionary {
      try collection.rawSet(at: index, new.map { .typedLink($0) } ?? .null)
    } else if column.isList {
      if let new { try collection.rawSet(at: index, .link(new.key)) } else { try collection.rawRemove(at: index) }
    } else {
      try collection.rawRemove(at: index)
      if let new {
        let value: Value = column.type == .link ? .link(new.key) : .typedLink(new)
        let place = try collection.place()
        let found = try collection.find(value, inSet: collection.values(place))
        if !found.exists { try collection.rawInsert(at: found.index, value) }
      }
    }
  }

  func missingForwardLink(_ origin: ObjectKey, _ column: ColumnDescription) -> StorageError {
    .corruptNode(
      ref: state.ref, reason: "a backlink names object \(origin.rawValue) of '\(className)', whose property has no such link")
  }

  /// A link somewhere in a collection of Mixed, possibly in a nested one: it becomes the new link; without one, a list loses
  /// the element and a dictionary's value becomes null.
  private func replaceNested(_ collection: ObjectCollection, from old: ObjectLink, to new: ObjectLink?) throws(StorageError) {
    guard let (owner, index) = try collection.findNested(old) else {
      throw missingForwardLink(collection.object, collection.column)
    }
    if new == nil, try owner.kind() == .list { return try owner.rawRemove(at: index) }
    try owner.rawSet(at: index, new.map { .typedLink($0) } ?? .null)
  }
}
