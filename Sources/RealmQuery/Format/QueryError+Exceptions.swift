extension QueryError {
  /// An exception of the SDK (Q16.6).
  static func exception(_ name: String, _ message: String, at offset: Int? = nil) -> QueryError {
    .invalid(.exception(name: name), message: message, offset: offset)
  }
  static func predicate(_ message: String, at offset: Int? = nil) -> QueryError { .exception("Invalid predicate", message, at: offset) }
  static func expressions(at offset: Int? = nil) -> QueryError {
    .exception(
      "Invalid predicate expressions", "Predicate expressions must compare a keypath and another keypath or a constant value", at: offset)
  }
}
