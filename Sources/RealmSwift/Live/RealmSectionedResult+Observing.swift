public import Dispatch
import Foundation
import RealmStorage

extension SectionedResults {
  /// Calls `block` once with `.initial`, and then with `.update` whenever sections or their elements come, go or are changed. See
  /// `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { startObserving(self, base.results.core, queue) { $0.register(keyPaths, $1, block) } }

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

  private func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (SectionedResultsChange<Self>) -> Void) {
    base.register(nil, keyPaths, token) { changes in block(change(self, changes)) }
  }
}

extension ResultsSection {
  /// Calls `block` once with `.initial`, and then with `.update` whenever elements of this section come, go or are changed. See
  /// `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { startObserving(self, base.results.core, queue) { $0.register(keyPaths, $1, block) } }

  /// Calls `block` on an actor, with a copy of the section that belongs to it. See `RealmCollection.observe`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    orStop(base.results.core) { try base.results.core.prepareToHandOver() }
    return await RemoteObserving.start(self, base.results.core, on: actor, _isolation: _isolation) { actor, section, token in
      section.register(keyPaths, token) { change in RemoteObserving.call(block, on: actor, change) }
    }
  }

  private func register(_ keyPaths: [String]?, _ token: NotificationToken, _ block: @escaping (SectionedResultsChange<Self>) -> Void) {
    base.register(key, keyPaths, token) { changes in block(change(self, changes)) }
  }
}

extension SectionedResults where SectionElement: ObjectBase {
  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }
}

extension ResultsSection where T: ObjectBase {
  /// The same with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken { observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block) }
}

extension SectionedCore {
  fileprivate func register(_ key: Key?, _ keyPaths: [String]?, _ token: NotificationToken, _ report: @escaping (SectionChanges?) -> Void) {
    orStop(results.core) { results.core.observe(try SectionsObservation(self, key: key, keyPaths, report), token) }
  }
}

private func startObserving<Sections: RealmSectionedResult>(
  _ sections: Sections, _ core: RealmCore, _ queue: DispatchQueue?, _ register: @escaping (Sections, NotificationToken) -> Void
) -> NotificationToken {
  if let queue {
    orStop(core) { try core.prepareToHandOver() }
    return RemoteObserving.start(sections, core, on: queue, register)
  }
  let token = NotificationToken()
  register(sections, token)
  return token
}

/// - Parameter changes: nil is the first report.
private func change<Sections>(_ sections: Sections, _ changes: SectionChanges?) -> SectionedResultsChange<Sections> {
  guard let changes else { return .initial(sections) }
  func paths(_ places: [SectionChanges.Place]) -> [IndexPath] { places.map { IndexPath(indexes: [$0.section, $0.item]) } }
  return .update(
    sections, deletions: paths(changes.deletions), insertions: paths(changes.insertions), modifications: paths(changes.modifications),
    sectionsToInsert: IndexSet(changes.insertedSections), sectionsToDelete: IndexSet(changes.deletedSections))
}
