extension ObjectBase {
  /// Access by name, throwing where the subscript ends the process. An addition: the original SDK has none.
  public final var throwing: ThrowingObject { ThrowingObject(base: self) }
}
