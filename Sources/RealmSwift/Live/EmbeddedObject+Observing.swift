public import Dispatch

extension EmbeddedObject {
  /// Calls `block` when properties of this object are set, and when it is deleted.
  ///
  /// Changes of linked objects are not reported, those of collections when elements come, go or are set. Stops for an object that is unmanaged,
  /// frozen or gone, in a read-only realm, and on a thread without run loop.
  /// - Parameters:
  ///   - queue: serial; the block is called there, with a copy of the object that belongs to it. Nil is where the realm is used.
  ///   - block: gets the object with the properties that were set.
  /// - Returns: a token that keeps the observation alive.
  public func observe<T: ObjectBase>(
    on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken { ObjectRegistration.start(self, nil, queue, block) }

  /// Calls `block` on an actor, with a copy of the object that belongs to it, when properties of this object are set, and when it is deleted. Returns
  /// when the observation has begun; the token is of no use if the task is cancelled before, or the object gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken { await ObjectRegistration.start(self, keyPaths, on: actor, _isolation: _isolation, block) }

  /// Calls `block` on an actor, with a copy of the object that belongs to it, whenever what one of the key paths leads to is set, and when the object
  /// is deleted.
  ///
  /// Does what ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` does with the names of the properties: no key path means all. Returns when
  /// the observation has begun; the token is of no use if the task is cancelled before, or the object gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor, T: EmbeddedObject>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await ObjectRegistration.start(self, keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
