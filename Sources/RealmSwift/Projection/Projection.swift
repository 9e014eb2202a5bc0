import Foundation
import RealmStorage
import Synchronization

/// A view of an object that shows some of its properties, and of those it links to. Derive from it and mark properties with `@Projected`.
///
///     class PersonProjection: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.address?.city) var city
///       @Projected(\Person.friends.projectTo.name) var friendNames
///     }
nonisolated open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: RealmCollectionValue, ProjectionObservable,
  CustomStringConvertible, KeypathSortable, RealmFetchable
{
  public typealias PersistedType = Root
  /// The object that is shown.
  public let rootObject: Root

  public required init(projecting object: Root) {
    rootObject = object
    // Mistakes in the class are found at once.
    _ = ProjectedProperty.all(of: self)
  }

  public static func == (a: Projection, b: Projection) -> Bool { a.rootObject == b.rootObject }
  public func hash(into hasher: inout Hasher) { hasher.combine(rootObject) }

  open var description: String {
    let address = "0x" + String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    let lines = ProjectedProperty.all(of: self).map { property in
      let value = "\(property.value(rootObject))".replacingOccurrences(of: "\n", with: "\n\t\t")
      return "\t\t\(property.label)(\\.\(property.originName)) = \(value);\n"
    }
    return "\(type(of: self))<\(type(of: rootObject))> <\(address)> {\n" + lines.joined() + "}"
  }

  // MARK: Confinement

  public var realm: Realm? { rootObject.realm }
  public var isInvalidated: Bool { rootObject.isInvalidated }
  public var isFrozen: Bool { rootObject.isFrozen }
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  // MARK: As elements of results

  public class func className() -> String { Root.className() }
  public class var _fetchedClass: ObjectBase.Type { Root.self }
  public class var _shape: _Shape { Root._shape }
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? { Root._load(stored, scope).map { Self(projecting: $0) } }
  public func _store(_ scope: _Scope) -> _StoredValue { rootObject._store(scope) }
  public static func _element(from input: Any) throws -> Self { Self(projecting: try Root._element(from: input)) }
  public static func _next(_ cursor: _ElementCursor) -> Self? { Root._next(cursor).map { Self(projecting: $0) } }
}

/// What `Projection` is to code that observes and queries it.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  associatedtype Root: ObjectBase
  var rootObject: Root { get }
  init(projecting: Root)
}

extension ProjectionObservable {
  var projectedObject: ObjectBase { rootObject }
}

/// A property of a projection: reads, and where the key path is writable writes, a property of the root object.
@propertyWrapper
public struct Projected<T: ObjectBase, Value>: _AnyProjected {
  fileprivate let keyPath: KeyPath<T, Value>

  public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

  @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
  public var wrappedValue: Value {
    get { fatalError("called wrappedValue getter") }
    set { fatalError("called wrappedValue setter") }
  }

  public static subscript<EnclosingSelf: ProjectionObservable>(
    _enclosingInstance observed: EnclosingSelf, wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value where EnclosingSelf.Root == T {
    get { observed.rootObject[keyPath: observed[keyPath: storageKeyPath].keyPath] }
    set {
      guard let keyPath = observed[keyPath: storageKeyPath].keyPath as? ReferenceWritableKeyPath<T, Value> else { stop("KeyPath is not writable") }
      observed.rootObject[keyPath: keyPath] = newValue
    }
  }

  public var _originName: String { _name(for: keyPath) }
  public func _value(of object: ObjectBase) -> Any? { (object as? T).map { $0[keyPath: keyPath] as Any } }
}

/// `Projected`, whatever its types. Public for technical reasons only.
public protocol _AnyProjected {
  var _originName: String { get }
  func _value(of object: ObjectBase) -> Any?
}

/// A property of a projection class.
///
/// SAFETY: key paths are immutable.
struct ProjectedProperty: @unchecked Sendable {
  /// The name in the projection.
  let label: String
  /// The names in the root object and behind it, joined by dots.
  let originName: String
  private let projected: any _AnyProjected

  func value(_ object: ObjectBase) -> Any {
    let value = projected._value(of: object) ?? NSNull()
    return DynamicInput.isNull(value) ? "nil" : DynamicInput.unwrapped(value)
  }

  private static let known = Mutex<[ObjectIdentifier: [ProjectedProperty]]>([:])

  /// The properties of an instance's class, those of base classes first.
  static func all(of projection: AnyObject) -> [ProjectedProperty] {
    let identifier = ObjectIdentifier(type(of: projection))
    if let properties = known.withLock({ $0[identifier] }) { return properties }
    var properties: [ProjectedProperty] = []
    var mirror: Mirror? = Mirror(reflecting: projection)
    while let current = mirror {
      properties.insert(contentsOf: current.children.compactMap(Self.init), at: 0)
      mirror = current.superclassMirror
    }
    known.withLock { $0[identifier] = properties }
    return properties
  }

  private init?(_ child: Mirror.Child) {
    guard let projected = child.value as? any _AnyProjected, let label = child.label else { return nil }
    self.projected = projected
    // The storage of a wrapped property has an underscore in front.
    self.label = label.hasPrefix("_") ? String(label.dropFirst()) : label
    originName = projected._originName
    if originName.isEmpty { stop("@Projected property '\(self.label)' must be a part of Realm object") }
  }
}

/// The name by which queries, sort descriptors and observers know what a property of a projection shows.
public func _name<T: ProjectionObservable>(for keyPath: PartialKeyPath<T>) -> String {
  KeyPathTracer.name(of: keyPath) { tracer in
    guard let root = tracer.instance(T.Root.self) else { return false }
    let projection = T(projecting: root)
    tracer.forget()
    _ = projection[keyPath: keyPath]
    return true
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Sorts by what a property of the projection shows.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType { sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)]) }
}
