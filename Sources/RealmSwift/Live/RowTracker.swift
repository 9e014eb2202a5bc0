import Observation

/// The properties of one row, for `withObservationTracking`.
final class RowTracker: Observable {
  private let registrar = ObservationRegistrar()
  /// By slot, as far as they were read. Nobody else refers to one but who tracks the property.
  private var keyPaths: [KeyPath<RowTracker, Void>?] = []

  /// A property, for key paths.
  subscript(slot: Int) -> Void { () }

  /// A property is read.
  /// - Returns: whether somebody tracks what the calling code reads.
  func access(_ slot: Int) -> Bool {
    tell(slot)
    return isTracked(slot)
  }

  // A function of its own: when it returns it refers to the key path no more.
  @inline(never) private func tell(_ slot: Int) {
    while keyPaths.count <= slot { keyPaths.append(nil) }
    let keyPath = keyPaths[slot] ?? \RowTracker[slot]
    registrar.access(self, keyPath: keyPath)
    keyPaths[slot] = keyPath
  }

  private func isTracked(_ slot: Int) -> Bool {
    guard keyPaths[slot] != nil else { return false }
    return !isKnownUniquelyReferenced(&keyPaths[slot])
  }

  /// Whether anybody still waits for a change.
  var isTracked: Bool { keyPaths.indices.contains { isTracked($0) } }

  /// Says that properties were changed.
  func report(_ slots: [Int]) {
    for slot in slots {
      guard slot < keyPaths.count, let keyPath = keyPaths[slot] else { continue }
      registrar.withMutation(of: self, keyPath: keyPath) {}
    }
  }

  /// The properties that were read.
  var slots: [Int] { keyPaths.indices.filter { keyPaths[$0] != nil } }
}
