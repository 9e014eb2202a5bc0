extension RealmCollection {
  /// The members that depend on data, such as the text of a query, throwing where those of the same name here end the process. An addition: the
  /// original SDK has none.
  public var throwing: ThrowingCollection<Self> { ThrowingCollection(base: self) }
}
