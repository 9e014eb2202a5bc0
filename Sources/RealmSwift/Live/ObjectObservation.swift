import Foundation
import RealmStorage

/// A managed object that is observed.
final class ObjectObservation: Observation {
  enum Report {
    case changed([PropertyChange])
    case deleted
  }
  private let object: ObjectBase
  private let binding: ClassBinding
  private let keyPaths: KeyPathSelection?
  private let report: (Report) -> Void

  init(_ object: ObjectBase, _ keyPaths: [String]?, _ report: @escaping (Report) -> Void) throws {
    guard let core = object.core, let binding = object.binding, binding.tracer == nil else {
      throw RealmFailure.misuse("Only objects which are managed by a Realm support change notifications")
    }
    try core.prepareToObserve()
    _ = try object.locate()
    self.object = object
    self.binding = binding
    self.keyPaths = try keyPaths.flatMap { $0.isEmpty ? nil : try KeyPathSelection($0, binding, core) }
    self.report = report
    super.init(core)
    base = try core.observedVersion()
  }

  override func interest(_ group: Group) -> ObservationInterest? {
    keyPaths == nil ? ObservationInterest(objects: [ObjectLink(table: binding.tableKey, key: object.key)]) : nil
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    if object.isManagedAndGone {
      hasEnded = true
      return { [report] in report(.deleted) }
    }
    let slots = try changedSlots(step)
    if slots.isEmpty { return nil }
    let changes = try slots.map { try change($0, step) }
    return { [report] in report(.changed(changes)) }
  }

  /// The properties that are reported, in the order of the schema.
  private func changedSlots(_ step: VersionStep) throws -> [Int] {
    if let keyPaths {
      let slots = try step.changedObjects(keyPaths).compactMap { $0.objects.contains(object.key) ? $0.slot : nil }
      return Array(Set(slots)).sorted()
    }
    guard let columns = step.changes.tables[binding.tableKey]?.changedColumns(of: object.key), !columns.isEmpty else { return [] }
    return binding.columns.indices.filter { columns.contains(binding.columns[$0]) }
  }

  private func change(_ slot: Int, _ step: VersionStep) throws -> PropertyChange {
    let property = binding.property(at: slot)
    let hasNoValue = property.isCollection || property.isComputed
    // As it is stored, as the old one: others may write what an enumeration of this program does not know.
    let new = hasNoValue ? NSNull() : try Boxed.value(object.dynamicValue(property.name, converts: false)) ?? NSNull()
    let old: Any? = step.isOwn ? nil : hasNoValue ? NSNull() : try oldValue(slot, property, step) ?? NSNull()
    return PropertyChange(name: property.name, oldValue: old, newValue: new)
  }

  /// What was stored before. An object that was linked to is shown as it is now.
  private func oldValue(_ slot: Int, _ property: Property, _ step: VersionStep) throws -> Any? {
    let value = try step.oldGroup().table(binding.tableKey).value(object.key, binding.columns[slot])
    switch value {
    case .link(let key): return try binding.target(slot, core).map { core.accessor($0, key) }
    case .typedLink(let link): return try core.accessor(core.binding(ofTable: link.table), link.key)
    default: return Boxed.value(DynamicProperty.scalar(value))
    }
  }
}
