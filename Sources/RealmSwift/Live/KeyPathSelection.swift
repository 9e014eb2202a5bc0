import RealmQuery
import RealmStorage

/// The properties that an observer wants to hear of, as key paths from the class that it observes.
struct KeyPathSelection {
  struct Path {
    /// The first property on the path.
    let slot: Int
    let steps: [ChangeReach.Step]
  }
  private(set) var paths: [Path] = []

  /// - Parameter texts: names joined by dots; `*` stands for every property of its class.
  /// - Throws: for names that do not exist.
  init(_ texts: [String], _ binding: ClassBinding, _ core: RealmCore) throws {
    for text in texts {
      let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let count = paths.count
      try add(names[...], binding, core, slot: nil, [])
      if paths.count == count { throw Self.unknown(text, binding.className) }
    }
  }

  /// - Parameter isChoice: `*` came before: only some of the classes that are reached need to have a property of the next name.
  private mutating func add(
    _ names: ArraySlice<String>, _ binding: ClassBinding, _ core: RealmCore, slot first: Int?, _ steps: [ChangeReach.Step], isChoice: Bool = false
  ) throws {
    guard let name = names.first else { return }
    if isChoice, name != "*", binding.slot(name) == nil { return }
    let isChoice = isChoice || name == "*"
    for slot in try Self.slots(name, binding) {
      let property = binding.property(at: slot)
      let rest = names.dropFirst()
      let step = try Self.step(property, slot, binding, core)
      guard !rest.isEmpty else {
        paths.append(Path(slot: first ?? slot, steps: steps + [step]))
        continue
      }
      guard let target = try binding.target(slot, core), target.hasTable else {
        // Of all properties, those that lead on; and any, if nothing but that is asked for.
        if isChoice {
          if rest.allSatisfy({ $0 == "*" }) { paths.append(Path(slot: first ?? slot, steps: steps + [step])) }
          continue
        }
        throw Self.unknown(rest.joined(separator: "."), property.objectClassName ?? binding.className)
      }
      try add(rest, target, core, slot: first ?? slot, steps + [step], isChoice: isChoice)
    }
  }

  private static func slots(_ name: String, _ binding: ClassBinding) throws -> [Int] {
    if name == "*" { return Array(0..<binding.schema.properties.count + binding.schema.computedProperties.count) }
    guard let slot = binding.slot(name) else { throw unknown(name, binding.className) }
    return [slot]
  }

  private static func unknown(_ name: String, _ className: String) -> RealmFailure {
    .misuse("Invalid property name: property '\(name)' not found in object of type '\(className)'")
  }

  private static func step(_ property: Property, _ slot: Int, _ binding: ClassBinding, _ core: RealmCore) throws -> ChangeReach.Step {
    guard property.isComputed else { return ChangeReach.Step(binding.columns[slot], of: binding.tableKey) }
    guard let origin = try binding.target(slot, core), let name = property.linkOriginPropertyName, let column = origin.slot(name) else {
      throw unknown(property.name, binding.className)
    }
    return ChangeReach.Step(linksTo: binding.tableKey, from: origin.tableKey, origin.columns[column])
  }
}
