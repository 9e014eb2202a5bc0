extension _ObjcBridgeable {
  /// The value that one by name stands for; nil if there is none.
  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    if let value = value as? Self { return value }
    func element<T: _Storable>(_ type: T.Type) -> Any? { try? type._element(from: value) }
    return (Self.self as? any _Storable.Type).flatMap { element($0) as? Self }
  }
  /// The value as access by name gives it.
  public var _rlmObjcValue: Any { Boxed.element(self) }
}

/// The value that one by name stands for. Stops if there is none. Public for technical reasons only.
public func dynamicBridgeCast<T>(fromObjectiveC value: Any) -> T {
  func bridged<B: _ObjcBridgeable>(_ type: B.Type) -> Any? { type._rlmFromObjc(value, insideOptional: false) }
  if let value = (T.self as? any _ObjcBridgeable.Type).flatMap({ bridged($0) }) as? T ?? value as? T { return value }
  stop("Could not convert value '\(DynamicInput.shown(value))' to type '\(T.self)'")
}

/// A value as access by name gives it. Public for technical reasons only.
public func dynamicBridgeCast<T>(fromSwift value: T) -> Any { (value as? any _ObjcBridgeable)?._rlmObjcValue ?? value }
