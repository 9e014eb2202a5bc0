@testable import RealmStorage

extension TableDriver {
  func changeCollection() throws {
    guard let table = randomTable({ !$0.order.isEmpty && $0.columns.contains { $0.isCollection || $0.type == .mixed } }),
      let object = randomObject(table)
    else { return }
    let column = values.pick(table.columns.filter { $0.isCollection || $0.type == .mixed })
    var held = table[object, column.key]
    var collection = try group.table(table.key).collection(object, column.key)
    var path: [PathStep] = []
    if case .scalar = held { return try setProperty(table, object, column) }
    // Into nested collections.
    while column.type == .mixed && values.chance(60), let (step, inner) = nested(held) {
      path.append(step)
      collection = collection.nested(step)
      held = inner
    }
    lastOperation = "change '\(table.name)'.'\(column.name)' of \(object.rawValue) at \(path)"
    let place = Place(table: table.key, object: object, column: column, path: path, collection: collection)
    switch held {
    case .scalar: break
    case .list(let elements): try changeList(place, elements)
    case .set(let elements): try changeSet(place, elements)
    case .dictionary(let entries): try changeDictionary(place, entries)
    }
    if column.mayLink { model.settle() }
  }

  struct Place {
    let table: TableKey
    let object: ObjectKey
    let column: ModelColumn
    let path: [PathStep]
    let collection: ObjectCollection
  }

  private func nested(_ value: ModelValue) -> (PathStep, ModelValue)? {
    var candidates: [(PathStep, ModelValue)] = []
    switch value {
    case .list(let elements):
      for (index, element) in elements.enumerated() { if case .scalar = element {} else { candidates.append((.index(index), element)) } }
    case .dictionary(let entries):
      for entry in entries { if case .scalar = entry.value {} else { candidates.append((.key(entry.key), entry.value)) } }
    default: break
    }
    return candidates.isEmpty ? nil : values.pick(candidates)
  }

  func update(_ place: Place, _ body: (inout ModelValue) -> Void) {
    model.tables[place.table]![place.object, place.column.key].update(place.path[...], body)
  }

  private func isEmbedded(_ column: ModelColumn) -> Bool { column.type == .link && model.tables[column.target!]!.kind == .embedded }

  /// Elements of nested collections, and of those in Mixed properties, may be anything.
  private func element(_ place: Place) -> Value? { newValue(place.column) }

  /// Adds a given value to a collection of any kind.
  func insert(_ value: Value, _ column: ModelColumn, _ collection: ObjectCollection, _ table: TableKey, _ object: ObjectKey) throws {
    let place = Place(table: table, object: object, column: column, path: [], collection: collection)
    switch model.tables[table]![object, column.key] {
    case .scalar: break
    case .list(let elements): try insert(place, at: values.below(elements.count + 1), value)
    case .set(let elements): try insertIntoSet(place, elements, value)
    case .dictionary(let entries): try setEntry(place, entries, values.key(), value)
    }
  }

  // MARK: Lists

  private func changeList(_ place: Place, _ elements: [ModelValue]) throws {
    let count = elements.count
    let collection = place.collection
    let choice = count > limits.elements * 2 ? 60 : values.below(100)
    lastOperation += ", list choice \(choice), count \(count)"
    switch choice {
    case 0..<40:
      let index = values.chance(50) ? count : values.below(count + 1)
      if isEmbedded(place.column) { return try insertEmbedded(place, at: index) }
      guard let value = element(place) else { return }
      try insert(place, at: index, value)
    case 40..<43:
      // Many at once, past the limit of a leaf now and then.
      if isEmbedded(place.column) { return }
      let isHuge = values.chance(limits.elements > 30 ? 15 : 2)
      var position = values.chance(70) ? count : values.below(count + 1)
      for _ in 0..<(isHuge ? 1100 : limits.elements) {
        guard let value = element(place) else { return }
        if isHuge && value.isNestedCollection { continue }
        try insert(place, at: position, value)
        position += 1
      }
    case 43..<60:
      guard count > 0 else { return }
      let index = values.below(count)
      if isEmbedded(place.column) { return try replaceEmbedded(place, at: index) }
      guard let value = element(place) else { return }
      try collection.set(at: index, value)
      update(place) { $0.updateElements { $0[index] = ModelValue(stored: value) } }
    case 60..<63:
      for _ in 0..<(count * values.below(100) / 100) {
        let left = try collection.count()
        let index = values.below(left)
        try collection.remove(at: index)
        update(place) { $0.updateElements { _ = $0.remove(at: index) } }
      }
    case 63..<80:
      guard count > 0 else { return }
      let index = values.below(count)
      try collection.remove(at: index)
      update(place) { $0.updateElements { _ = $0.remove(at: index) } }
    case 80..<90:
      guard count > 0 else { return }
      let (from, to) = (values.below(count), values.below(count))
      try collection.move(from: from, to: to)
      update(place) { $0.updateElements { $0.insert($0.remove(at: from), at: to) } }
    case 90..<97:
      guard count > 0 else { return }
      let (first, second) = (values.below(count), values.below(count))
      try collection.swap(first, second)
      update(place) { $0.updateElements { $0.swapAt(first, second) } }
    default:
      try collection.removeAll()
      update(place) { $0.updateElements { $0 = [] } }
    }
  }

  private func insert(_ place: Place, at index: Int, _ value: Value) throws {
    try place.collection.insert(at: index, value)
    update(place) { $0.updateElements { $0.insert(ModelValue(stored: value), at: index) } }
  }

  private func insertEmbedded(_ place: Place, at index: Int) throws {
    let target = place.column.target!
    if model.tables[target]!.order.count > limits.objects * 3 { return }
    let child = try place.collection.insertEmbedded(at: index)
    createdEmbedded(target, child)
    update(place) { $0.updateElements { $0.insert(.scalar(.link(child)), at: index) } }
  }

  private func replaceEmbedded(_ place: Place, at index: Int) throws {
    let child = try place.collection.setEmbedded(at: index)
    createdEmbedded(place.column.target!, child)
    update(place) { $0.updateElements { $0[index] = .scalar(.link(child)) } }
  }

  // MARK: Sets

  private func changeSet(_ place: Place, _ elements: [ModelValue]) throws {
    let choice = elements.count > limits.elements * 2 ? 95 : values.below(100)
    switch choice {
    case 0..<60:
      guard let value = element(place), !value.isNestedCollection else { return }
      try insertIntoSet(place, elements, value)
    case 60..<90:
      guard !elements.isEmpty, case .scalar(let value) = values.pick(elements) else { return }
      guard try place.collection.remove(value) else { throw Failure(description: "the set lacks \(value)") }
      update(place) { $0.updateElements { $0.removeAll { ModelValue.order($0, .scalar(value)) == 0 } } }
    case 90..<94:
      guard let value = element(place) else { return }
      let isThere = elements.contains { ModelValue.order($0, .scalar(value)) == 0 }
      guard try place.collection.contains(value) == isThere else { throw Failure(description: "the set is wrong about \(value)") }
    case 94..<97:
      for _ in 0..<limits.elements {
        guard let value = element(place), !value.isNestedCollection else { return }
        guard case .set(let present) = model.tables[place.table]![place.object, place.column.key] else { return }
        try insertIntoSet(place, present, value)
      }
    default:
      try place.collection.removeAll()
      update(place) { $0.updateElements { $0 = [] } }
    }
  }

  private func insertIntoSet(_ place: Place, _ elements: [ModelValue], _ value: Value) throws {
    let index = elements.firstIndex { ModelValue.order($0, .scalar(value)) >= 0 } ?? elements.count
    let exists = index < elements.count && ModelValue.order(elements[index], .scalar(value)) == 0
    let result = try place.collection.insert(value)
    guard result == (index, !exists) else { throw Failure(description: "inserting \(value) gives \(result), not \((index, !exists))") }
    if !exists { update(place) { $0.updateElements { $0.insert(.scalar(value), at: index) } } }
  }

  // MARK: Dictionaries

  private func changeDictionary(_ place: Place, _ entries: [ModelEntry]) throws {
    let choice = entries.count > limits.elements * 2 ? 99 : values.below(100)
    switch choice {
    case 0..<65:
      let key = values.chance(50) && !entries.isEmpty ? values.pick(entries).key : values.key()
      if isEmbedded(place.column) && values.chance(80) { return try setEmbedded(place, entries, key) }
      guard let value = element(place) else { return }
      try setEntry(place, entries, key, value)
    case 65..<96:
      let key = values.chance(80) && !entries.isEmpty ? values.pick(entries).key : values.key()
      let exists = entries.contains { $0.key == key }
      guard try place.collection.removeEntry(key: key) == exists else { throw Failure(description: "removing key \(key)") }
      update(place) { $0.updateEntries { $0.removeAll { $0.key == key } } }
    default:
      try place.collection.removeAll()
      update(place) { $0.updateEntries { $0 = [] } }
    }
  }

  private func setEntry(_ place: Place, _ entries: [ModelEntry], _ key: [UInt8], _ value: Value) throws {
    try place.collection.set(key: key, value)
    store(place, key, ModelValue(stored: value))
  }

  private func setEmbedded(_ place: Place, _ entries: [ModelEntry], _ key: [UInt8]) throws {
    if model.tables[place.column.target!]!.order.count > limits.objects * 3 { return }
    let child = try place.collection.setEmbedded(key: key)
    createdEmbedded(place.column.target!, child)
    store(place, key, .scalar(.link(child)))
  }

  private func store(_ place: Place, _ key: [UInt8], _ value: ModelValue) {
    update(place) {
      $0.updateEntries {
        let index = $0.firstIndex { compareBytes($0.key, key) >= 0 } ?? $0.count
        if index < $0.count && $0[index].key == key { $0[index].value = value } else { $0.insert(ModelEntry(key: key, value: value), at: index) }
      }
    }
  }
}
