import Foundation
import RealmStorage

/// A projection that is observed: the properties that it shows.
final class ProjectionObservation: Observation {
  private let object: ObjectBase
  private let properties: [(property: ProjectedProperty, path: KeyPathSelection)]
  private let table: TableKey
  private let report: (ObjectObservation.Report) -> Void

  /// - Parameter keyPaths: names in the projected class, also of what is behind a projected link; none are all that is projected.
  init(_ projection: some ProjectionObservable, _ keyPaths: [String]?, _ report: @escaping (ObjectObservation.Report) -> Void) throws {
    let object = projection.projectedObject
    guard let core = object.core, let binding = object.binding, binding.tracer == nil else {
      throw RealmFailure.misuse("Only objects which are managed by a Realm support change notifications")
    }
    try core.prepareToObserve()
    _ = try object.locate()
    self.object = object
    self.report = report
    table = binding.tableKey
    let wanted = keyPaths.flatMap { $0.isEmpty ? nil : $0 }
    // Refuses names that do not exist.
    _ = try wanted.map { try KeyPathSelection($0, binding, core) }
    properties = try ProjectedProperty.all(of: projection).compactMap { property in
      guard let wanted else { return (property, try KeyPathSelection([property.originName], binding, core)) }
      // What `*` stands for may have no property of the next name.
      let paths = wanted.compactMap { Self.path($0, of: property.originName) }.filter { (try? KeyPathSelection([$0], binding, core)) != nil }
      return paths.isEmpty ? nil : (property, try KeyPathSelection(paths, binding, core))
    }
    super.init(core)
    base = try core.observedVersion()
  }

  /// What of `wanted` a projected path is or leads to; nil if they part.
  private static func path(_ wanted: String, of origin: String) -> String? {
    let (wanted, origin) = (wanted.split(separator: "."), origin.split(separator: "."))
    guard zip(wanted, origin).allSatisfy({ $0 == "*" || $0 == $1 }) else { return nil }
    return (origin + wanted.dropFirst(origin.count)).joined(separator: ".")
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    if object.isManagedAndGone {
      hasEnded = true
      return { [report] in report(.deleted) }
    }
    let changed = try properties.filter { try step.changedObjects(of: table, $0.path).contains(object.key) }
    if changed.isEmpty { return nil }
    let old = step.isOwn ? nil : try step.oldObject(like: object)
    let changes = changed.map { property, _ in
      PropertyChange(name: property.label, oldValue: old.map { property.reported($0) }, newValue: property.reported(object))
    }
    return { [report] in report(.changed(changes)) }
  }
}
