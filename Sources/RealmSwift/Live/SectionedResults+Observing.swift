public import Dispatch

extension SectionedResults {
  /// Calls `block` once with `.initial`, and then with `.update` whenever sections or their elements come, go or are changed. See
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
  ) { RemoteObserving.start(self, base.results.core, on: queue, token) { sections, token in sections.register(keyPaths, token, block) } }

  /// Calls `block` on an actor, with a copy of the sections that belongs to it. See `RealmCollection.observe`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    orStop(base.results.core) { try base.results.core.prepareToHandOver() }
    return await RemoteObserving.start(self, base.results.core, on: actor, _isolation: _isolation) { actor, sections, token in
      sections.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (SectionedResultsChange<Self>) -> Void) {
    base.register(nil, keyPaths, token) { changes in block(SectionReport.change(self, changes)) }
  }
}

extension SectionedResults where SectionElement: ObjectBase {
  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }

  /// The same with typed key paths.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, _isolation: _isolation, block)
  }
}
