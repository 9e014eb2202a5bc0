// Stands for the SDK's own `Persisted` and collections in tests of the schema. To be deleted when those are there.

import RealmStorage

@testable import RealmSwift

protocol TestValue { static var _shape: _Shape { get } }

@propertyWrapper struct Persisted<Value: TestValue>: _AnyPersisted {
  var key: UInt32 = 0
  var flags: UInt8
  var value: Value?
  var origin: String?

  init() { flags = 0 }
  init(wrappedValue: Value) { (flags, value) = (0, wrappedValue) }
  init(indexed: Bool) { flags = 1 }
  init(primaryKey: Bool) { flags = 2 }
  init(originProperty: String) { (flags, origin) = (0, originProperty) }

  @available(*, unavailable) var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }
  static subscript<E: ObjectBase>(
    _enclosingInstance object: E, wrapped wrapped: ReferenceWritableKeyPath<E, Value>, storage storage: ReferenceWritableKeyPath<E, Self>
  ) -> Value {
    get { object[keyPath: storage].value! }
    set { object[keyPath: storage].value = newValue }
  }

  static var _shape: _Shape { Value._shape }
  private static func at(_ object: ObjectBase, _ offset: Int) -> Self {
    (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Self.self).pointee
  }
  static func _flags(_ object: ObjectBase, _ byteOffset: Int) -> UInt8 { at(object, byteOffset).flags }
  static func _originProperty(_ object: ObjectBase, _ byteOffset: Int) -> String? { at(object, byteOffset).origin }
}

extension Int: TestValue { static var _shape: _Shape { _Shape(.int) } }
extension Bool: TestValue { static var _shape: _Shape { _Shape(.bool) } }
extension String: TestValue { static var _shape: _Shape { _Shape(.string) } }
extension Double: TestValue { static var _shape: _Shape { _Shape(.double) } }
extension ObjectBase: TestValue { static var _shape: _Shape { _Shape(.object, objectType: self) } }
extension Optional: TestValue where Wrapped: TestValue { static var _shape: _Shape { Wrapped._shape.optional } }
struct AnyRealmValue: TestValue { static var _shape: _Shape { _Shape(.any) } }
final class List<Element: TestValue>: TestValue { static var _shape: _Shape { Element._shape.elements(of: .list) } }
final class MutableSet<Element: TestValue>: TestValue { static var _shape: _Shape { Element._shape.elements(of: .set) } }
final class Map<Key, Element: TestValue>: TestValue { static var _shape: _Shape { Element._shape.elements(of: .dictionary) } }
struct LinkingObjects<Element: ObjectBase>: TestValue { static var _shape: _Shape { _Shape(.linkingObjects, objectType: Element.self) } }
