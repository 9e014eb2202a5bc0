import RealmStorage

/// A step into a Mixed value (Q10).
enum MixedStep: Equatable {
  case key([UInt8])
  case index(Int)
  case first, last
  /// Every element or value.
  case all
  /// The keys of a dictionary.
  case keys

  var text: String {
    switch self {
    case .key(let key): "['\(String(decoding: key, as: UTF8.self))']"
    case .index(0), .first: "[FIRST]"
    case .index(let index): "[\(index)]"
    case .last: "[LAST]"
    case .all: "[*]"
    case .keys: ".@keys"
    }
  }
}

/// Follows steps into Mixed values: lists, dictionaries, and the properties of linked objects.
struct MixedPath {
  let group: Group
  let steps: ArraySlice<MixedStep>

  /// Appends what the steps reach; nothing where a value has another shape than a step.
  func append(_ value: Value, to values: inout [Value], _ cancellation: Cancellation?) throws(StorageError) {
    try follow(value, steps, &values, cancellation)
  }

  /// What the last step gives for each value that it is applied to; nothing for those of another shape.
  func groups(_ value: Value, _ cancellation: Cancellation?) throws(StorageError) -> [[Value]] {
    var owners: [Value] = []
    try follow(value, steps.dropLast(), &owners, cancellation)
    var result: [[Value]] = []
    for owner in owners {
      var group: [Value] = []
      try follow(owner, steps.suffix(1), &group, cancellation)
      result.append(group)
    }
    return result
  }

  private func follow(
    _ value: Value, _ steps: ArraySlice<MixedStep>, _ values: inout [Value], _ cancellation: Cancellation?
  ) throws(StorageError) {
    guard let step = steps.first else { return values.append(value.resolved) }
    let rest = steps.dropFirst()
    switch value {
    case .list(let root): try follow(CollectionReader(group.space, nested: root, isDictionary: false, cancellation), list: step, rest, &values)
    case .dictionary(let root):
      try follow(CollectionReader(group.space, nested: root, isDictionary: true, cancellation), dictionary: step, rest, &values)
    case .typedLink(let link):
      guard case .key(let name) = step, let value = try property(of: link, name) else { return }
      try follow(value, rest, &values, cancellation)
    default: break
    }
  }

  private func follow(
    _ list: CollectionReader, list step: MixedStep, _ rest: ArraySlice<MixedStep>, _ values: inout [Value]
  ) throws(StorageError) {
    let count = try list.count()
    let index: Int
    switch step {
    case .all:
      var elements: [Value] = []
      try list.forEach { elements.append($0) }
      for element in elements { try follow(element, rest, &values, list.cancellation) }
      return
    case .index(let position): index = position
    case .first: index = 0
    case .last: index = count - 1
    case .key, .keys: return
    }
    if index >= 0 && index < count { try follow(list.value(at: index), rest, &values, list.cancellation) }
  }

  private func follow(
    _ dictionary: CollectionReader, dictionary step: MixedStep, _ rest: ArraySlice<MixedStep>, _ values: inout [Value]
  ) throws(StorageError) {
    var elements: [Value] = []
    switch step {
    case .all: try dictionary.forEach { elements.append($0) }
    case .keys: try dictionary.forEachKey { elements.append($0) }
    case .key(let key):
      if try dictionary.count() == 0 { return }
      // A missing key is null, and may be gone into no further.
      elements.append(try dictionary.value(for: key) ?? .null)
    case .index, .first, .last: return
    }
    for element in elements { try follow(element, rest, &values, dictionary.cancellation) }
  }

  /// A single-valued property of whatever class the object is of.
  private func property(of link: ObjectLink, _ name: [UInt8]) throws(StorageError) -> Value? {
    guard link.key.rawValue >= 0 else { return nil }
    let table = try group.table(link.table)
    guard let column = table.publicColumns.first(where: { $0.name == name }), !column.isCollection else { return nil }
    return try table.row(link.key).value(column).linked(to: column.oppositeTable)
  }
}
