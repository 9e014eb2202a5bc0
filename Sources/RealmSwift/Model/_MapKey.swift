import RealmStorage

/// A key of a `Map`: only `String`.
public protocol _MapKey: Hashable, Sendable, _ObjcBridgeable {
  /// What is stored as the key.
  var _text: String { get }
  /// The key that a stored text stands for.
  init(_text: String)
}

extension String: _MapKey {
  /// The text itself.
  public var _text: String { self }
  /// The key of a stored text: the text itself.
  public init(_text: String) { self = _text }
}
