import RealmStorage

/// Finds the names of the properties that a key path goes through, by evaluating it on an object that records what is read.
///
/// Key paths have no names of their own on Linux. The outcome is kept per key path.
final class KeyPathTracer {
  private var names: [String] = []
  private var isRecording = true
  /// Bindings of the instances made for this trace; they must live as long as it does.
  private var bindings: [ClassBinding] = []

  func record(_ name: String) { if isRecording { names.append(name) } }
  func withoutRecording<Result>(_ body: () -> Result) -> Result {
    let before = isRecording
    isRecording = false
    defer { isRecording = before }
    return body()
  }
  /// Nothing that was read up to now counts.
  func forget() { names.removeAll() }

  /// An instance whose properties are recorded when they are read.
  func instance<T: ObjectBase>(_ type: T.Type) -> T? {
    guard let model = try? ModelClass.of(type) else { return nil }
    // Not `T()`: the static type may be a base class.
    let object = type.init()
    let binding = ClassBinding(
      model.schema, model: model, tableKey: .null, columns: [], isEmbedded: model.schema.isEmbedded, hasEnumeratedStrings: false)
    binding.tracer = self
    bindings.append(binding)
    object.binding = binding
    binding.bindFields(of: object)
    return object
  }

  /// What a traced collection holds: one element that goes on recording.
  func elements<Element: RealmCollectionValue>(_ type: Element.Type) -> [Element] {
    if let type = type as? any OptionalProtocol.Type { return wrappedElements(type).compactMap { $0 as? Element } }
    if let type = type as? ObjectBase.Type { return (instance(type) as? Element).map { [$0] } ?? [] }
    // A value, so that a key path may name an element.
    return (type as? any _Persistable.Type).flatMap { defaultValue($0) as? Element }.map { [$0] } ?? []
  }
  private func defaultValue<T: _Persistable>(_ type: T.Type) -> Any { T._defaultValue() }
  private func wrappedElements<T: OptionalProtocol>(_ type: T.Type) -> [Any] {
    if let type = T.Wrapped.self as? ObjectBase.Type { return instance(type).map { [$0] } ?? [] }
    return (T.Wrapped.self as? any _Persistable.Type).map { [defaultValue($0)] } ?? []
  }

  /// SAFETY: key paths are immutable; what they captured is only compared here.
  private struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
  }
  private static let cache = Locked<[Key: String]>([:])

  /// The names, joined by dots; empty if the key path reads no persisted property.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
    name(of: keyPath) { tracer in
      guard let object = tracer.instance(Root.self) else { return false }
      _ = object[keyPath: keyPath]
      return true
    }
  }

  /// - Parameter read: evaluates the key path; returns false if that is impossible.
  static func name(of keyPath: AnyKeyPath, _ read: (KeyPathTracer) -> Bool) -> String {
    let key = Key(keyPath: keyPath)
    if let known = cache.withLock({ $0[key] }) { return known }
    let tracer = KeyPathTracer()
    guard read(tracer) else { return "" }
    let name = tracer.names.joined(separator: ".")
    withExtendedLifetime(tracer) {}
    cache.withLock { $0[key] = name }
    return name
  }
}

/// The name by which queries, sort descriptors and observers know a property.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String { KeyPathTracer.name(of: keyPath) }
