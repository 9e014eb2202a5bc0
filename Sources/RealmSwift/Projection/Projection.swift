import Foundation
import RealmStorage

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
  /// The class that is shown: a projection counts as its objects where types are asked for.
  public typealias PersistedType = Root
  /// The object that is shown.
  public let rootObject: Root

  /// Shows an object, managed or not. Stops if a property of the projection class names nothing that can be found.
  public required init(projecting object: Root) {
    rootObject = object
    // Mistakes in the class are found at once.
    _ = ProjectedProperty.all(of: self)
  }

  /// True if both show the same row of the same realm, or the same unmanaged object.
  public static func == (a: Projection, b: Projection) -> Bool { a.rootObject.isSame(as: b.rootObject) }
  /// Hashes the row that is shown, or the address of an unmanaged object.
  public func hash(into hasher: inout Hasher) { hasher.combine(rootObject.rowIdentity) }

  /// The values of all properties of the projection, with the names that they have behind it.
  open var description: String {
    let lines = ProjectedProperty.all(of: self).map { (property) -> String in
      let value = property.value(rootObject)
      let name = (value as? any AnyProjectedCollection)?.collectionName(of: property.originName) ?? property.originName
      return "\t\(property.label)(\\.\(name)) = \(value);"
    }
    return "\(type(of: self))<\(type(of: rootObject))> <\(CollectionText.address(of: rootObject))> {\n\t" + lines.joined(separator: "\n") + "\n}"
  }

  // MARK: Confinement

  /// The realm of the object that is shown; nil for an unmanaged one.
  public var realm: Realm? { rootObject.realm }
  /// Whether the object that is shown was deleted, or its realm invalidated.
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the object that is shown is frozen.
  public var isFrozen: Bool { rootObject.isFrozen }
  /// A projection of the frozen object, for any thread. Stops for an unmanaged object.
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  /// A projection of the live object for the calling thread; nil if it does not exist any more. Stops for an unmanaged object.
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  // MARK: As elements of results

  /// The name of the class that is shown.
  public class func className() -> String { Root.className() }
  /// The class that is looked for when projections are. Public for technical reasons only.
  public class var _fetchedClass: ObjectBase.Type { Root.self }
  /// How values are stored: the type of the column, or of its elements.
  public class var _shape: _Shape { Root._shape }
  /// The value that a stored one stands for; nil if it has no counterpart in this type.
  public static func _load(_ stored: _StoredValue, _ scope: _Scope) -> Self? { Root._load(stored, scope).map { Self(projecting: $0) } }
  /// The stored form of the value.
  public func _store(_ scope: _Scope) throws -> _StoredValue { try rootObject._store(scope) }
  /// The element that input of `create(value:)` stands for; throws if there is none.
  public static func _element(from input: Any) throws -> Self { Self(projecting: try Root._element(from: input)) }
  /// The next element of an iteration over a managed collection; nil at the end.
  public static func _next(_ cursor: _ElementCursor) -> Self? { Root._next(cursor).map { Self(projecting: $0) } }
}

/// What `Projection` is to code that observes and queries it.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  /// The class that is shown.
  associatedtype Root: ObjectBase
  /// The object that is shown.
  var rootObject: Root { get }
  /// Makes a projection of an object, managed or not.
  init(projecting: Root)
}

extension ProjectionObservable {
  var projectedObject: ObjectBase { rootObject }
}

/// A property of a projection: reads, and where the key path is writable writes, a property of the root object.
@propertyWrapper
public struct Projected<T: ObjectBase, Value>: _AnyProjected {
  fileprivate let keyPath: KeyPath<T, Value>

  /// Shows what a key path from the class that is projected leads to: `\Person.address?.city`.
  public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

  /// Not to be used: only properties of projections have one.
  @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
  public var wrappedValue: Value {
    get { fatalError("called wrappedValue getter") }
    set { fatalError("called wrappedValue setter") }
  }

  /// How the compiler reaches the property of a projection. Setting stops if the key path cannot be written to.
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

  /// The names that the key path goes through. Public for technical reasons only.
  public var _originName: String { _name(for: keyPath) }
  /// What an object shows; nil if it is of another class. Public for technical reasons only.
  public func _value(of object: ObjectBase) -> Any? { (object as? T).map { $0[keyPath: keyPath] as Any } }
}

/// `Projected`, whatever its types. Public for technical reasons only.
public protocol _AnyProjected {
  /// The names that the key path goes through.
  var _originName: String { get }
  /// What an object shows; nil if it is of another class.
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

  func value(_ object: ObjectBase) -> Any { projected._value(of: object) ?? "nil" }

  /// The same as changes tell it, where null is what it is in those of objects.
  func reported(_ object: ObjectBase) -> Any {
    let value = value(object)
    return DynamicInput.isNull(value) ? NSNull() : value
  }

  private static let known = Locked<[ObjectIdentifier: [ProjectedProperty]]>([:])

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
