public import Dispatch

extension ResultsSection {
  /// Calls `block` once with `.initial`, and then with `.update` whenever elements of this section come, go or are changed. See
  /// `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let token = NotificationToken(credit: nil)
    observe(keyPaths, on: queue, token, block)
    return token
  }

  /// The same with a token that there is already.
  package func observe(
    _ keyPaths: [String]?, on queue: DispatchQueue?, _ token: NotificationToken, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) { RemoteObserving.start(self, base.results.core, on: queue, token) { section, token in section.register(keyPaths, token, block) } }

  /// Calls `block` on an actor, with a copy of the section that belongs to it, once with `.initial`, and then with `.update` whenever elements of
  /// this section come, go or are changed. Returns when the observation has begun; the token is of no use if the task is cancelled before, or the
  /// results gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    orStop(base.results.core) { try base.results.core.prepareToHandOver() }
    return await RemoteObserving.start(self, base.results.core, on: actor, _isolation: _isolation) { actor, section, token in
      section.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (SectionedResultsChange<Self>) -> Void) {
    base.register(key, keyPaths, token) { changes in block(SectionReport.change(self, changes)) }
  }
}

extension ResultsSection where T: ObjectBase {
  /// Calls `block` once with `.initial`, and then with `.update` whenever elements of this section come or go, or what one of the key paths leads to
  /// is changed. Does what ``observe(keyPaths:on:_:)-([String]?,_,_)`` does with the names of the properties, and stops where that stops.
  /// - Parameters:
  ///   - keyPaths: only changes of these properties count, or of what lies behind them: `\.owner?.name`. None are all.
  ///   - queue: serial; the block is called there, with a copy of the section that belongs to it. Nil is where the realm is used.
  ///   - block: gets the section with what happened to it.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// Calls `block` on an actor, with a copy of the section that belongs to it, once with `.initial`, and then with `.update` whenever elements of
  /// this section come or go, or what one of the key paths leads to is changed.
  ///
  /// Does what ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` does with the names of the properties: no key path means all. Returns when
  /// the observation has begun; the token is of no use if the task is cancelled before, or the section gone.
  /// - Returns: a token that keeps the observation alive.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
