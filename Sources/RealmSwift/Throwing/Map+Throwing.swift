extension Map {
  /// The members that depend on data, throwing where those of the same name here end the process. An addition: the original SDK has none.
  public var throwing: ThrowingMap<Key, Value> { ThrowingMap(base: self) }
}
