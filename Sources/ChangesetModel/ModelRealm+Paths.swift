import Changesets

/// Changes of values, and of what is inside of them.
extension ModelRealm {
  func apply(_ change: ModelChange, to value: inout ModelValue, of slot: ModelSlot, _ path: ArraySlice<ModelStep>) throws(ApplicationError.Reason) {
    switch (path.first, value) {
    case (nil, _): try apply(change, to: &value, of: slot)
    case (.index(let index), .list(var elements)):
      if path.count == 1 {
        try apply(change, toElement: index, of: &elements, slot.elements)
      } else {
        guard elements.indices.contains(index) else { throw .wrongIndex }
        try apply(change, to: &elements[index], of: slot.elements, path.dropFirst())
      }
      value = .list(elements)
    case (.key(let key), .dictionary(var entries)):
      if path.count == 1, case .set(let new) = change {
        entries[key] = try entry(new, entries[key], slot.elements)
      } else {
        guard var entry = entries[key] else { throw .wrongPath }
        try apply(change, to: &entry, of: slot.elements, path.dropFirst())
        entries[key] = entry
      }
      value = .dictionary(entries)
    case (.key(let key), .object(var object)):
      guard let column = classes[object.className]?.columns[key], var property = object.properties[key] else { throw .missingProperty }
      try apply(change, to: &property, of: .property(column), path.dropFirst())
      object.properties[key] = property
      value = .object(object)
    default: throw .wrongPath
    }
  }

  // MARK: The end of the path

  private func apply(_ change: ModelChange, to value: inout ModelValue, of slot: ModelSlot) throws(ApplicationError.Reason) {
    switch (change, value) {
    case (.set(let new), _):
      guard slot.isSingle else { throw .wrongType }
      if case .nothing = new { throw .wrongType }
      if case .object = new, case .object = value { return }
      value = try self.value(new, value, slot)
    case (.add(let amount), .int(let number)): value = .int(number &+ amount)
    case (.add, _): break
    case (.clear(let kind), _): try clear(&value, kind, slot)
    case (.setInsert(let new), .set(var elements)):
      elements.insert(try self.value(new, nil, slot.elements))
      value = .set(elements)
    case (.setErase(let new), .set(var elements)):
      elements.remove(try self.value(new, nil, slot.elements))
      value = .set(elements)
    default: throw .wrongPath
    }
  }

  private func clear(_ value: inout ModelValue, _ kind: CollectionKind, _ slot: ModelSlot) throws(ApplicationError.Reason) {
    switch (kind, value) {
    // A property that is a collection knows its kind.
    case (.single, .list) where !slot.isSingle, (.list, .list): value = .list([])
    case (.single, .set), (.set, .set): value = .set([])
    case (.single, .dictionary) where !slot.isSingle, (.dictionary, .dictionary): value = .dictionary([:])
    case (.list, _) where slot.holdsAnything: value = .list([])
    case (.dictionary, _) where slot.holdsAnything: value = .dictionary([:])
    default: throw .wrongType
    }
  }

  private func apply(
    _ change: ModelChange, toElement index: Int, of elements: inout [ModelValue], _ slot: ModelSlot
  ) throws(ApplicationError.Reason) {
    switch change {
    case .setElement(let new, let size):
      try require(index, in: elements, size)
      // An embedded object stays as it is.
      if case .object = new { return }
      elements[index] = try value(new, elements[index], slot)
    case .insert(let new, let size):
      if elements.count != Int(size) { throw .wrongSize }
      if index > elements.count { throw .wrongIndex }
      elements.insert(try value(new, nil, slot), at: index)
    case .erase(let size):
      try require(index, in: elements, size)
      elements.remove(at: index)
    case .move(let target, let size):
      try require(index, in: elements, size)
      try require(Int(target), in: elements, size)
      if index == Int(target) { throw .moveToSamePlace }
      elements.insert(elements.remove(at: index), at: Int(target))
    default:
      guard elements.indices.contains(index) else { throw .wrongIndex }
      try apply(change, to: &elements[index], of: slot)
    }
  }

  private func require(_ index: Int, in elements: [ModelValue], _ size: UInt32) throws(ApplicationError.Reason) {
    if elements.count != Int(size) { throw .wrongSize }
    if index >= elements.count { throw .wrongIndex }
  }

  /// Nil if the entry goes.
  private func entry(_ new: ModelChange.NewValue, _ old: ModelValue?, _ slot: ModelSlot) throws(ApplicationError.Reason) -> ModelValue? {
    if case .nothing = new { return nil }
    return try value(new, old, slot)
  }

  /// - Parameter old: what is there: a collection of the same kind stays.
  private func value(_ new: ModelChange.NewValue, _ old: ModelValue?, _ slot: ModelSlot) throws(ApplicationError.Reason) -> ModelValue {
    switch new {
    case .value(let value):
      try check(value, slot)
      return value
    case .object:
      guard let column = slot.column, let target = column.target, classes[target]?.kind == .embedded else { throw .wrongType }
      return .object(newObject(target))
    case .list:
      guard slot.holdsAnything else { throw .wrongType }
      if case .list? = old { return old! }
      return .list([])
    case .dictionary:
      guard slot.holdsAnything else { throw .wrongType }
      if case .dictionary? = old { return old! }
      return .dictionary([:])
    case .set, .nothing: throw .wrongType
    }
  }

  private func check(_ value: ModelValue, _ slot: ModelSlot) throws(ApplicationError.Reason) {
    if case .link(let address) = value {
      if classes[address.className]?.kind == .embedded { throw .wrongType }
      _ = try type(of: address)
    }
    guard let column = slot.column else { return }
    if value == .null {
      let isEntry = if case .element = slot { column.collection == .dictionary } else { false }
      if !column.isNullable, !isEntry || column.type != .link { throw .wrongType }
    } else if value.type != column.type {
      throw .wrongType
    } else if case .link(let address) = value, address.className != column.target {
      throw .wrongType
    }
  }
}
