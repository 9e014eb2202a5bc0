extension Realm {
  /// The members that depend on data, throwing where those of the same name here end the process. An addition: the original SDK has none.
  ///
  /// ```swift
  /// do { try realm.write { try realm.throwing.create(Person.self, value: json) } } catch { respond(.badRequest, "\(error)") }
  /// ```
  ///
  /// Errors are of the type `Realm.Error`, with the texts that would have stopped the program. What was written before the error stays in the
  /// transaction: let the error leave the block of `write`, which takes all of it back. Only a key that exists is found before anything of its
  /// object is written.
  public var throwing: ThrowingRealm { ThrowingRealm(core: core) }
}
