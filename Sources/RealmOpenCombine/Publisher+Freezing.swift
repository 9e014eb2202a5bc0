public import OpenCombine
public import RealmSwift

extension Publisher {
  /// Freezes objects and collections, so that they may be used on any thread.
  public func freeze<T>() -> Publishers.Map<Self, T> where Output: ThreadConfined, T == Output { map { $0.freeze() } }

  /// Freezes the objects of changes.
  public func freeze<T: Object>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> { map { $0.frozen } }

  /// Freezes the projections of changes.
  public func freeze<T: ProjectionObservable>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> { map { $0.frozen } }

  /// Freezes the collections of changes.
  public func freeze<T: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<T>> where Output == RealmCollectionChange<T> {
    map { $0.frozen }
  }

  /// Freezes the maps of changes.
  public func freeze<T: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<T>> where Output == RealmMapChange<T> { map { $0.frozen } }

  /// Freezes the sections of changes.
  public func freeze<T: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<T>> where Output == SectionedResultsChange<T> {
    map { $0.frozen }
  }
}

extension _ConfinedChange {
  fileprivate var frozen: Self { _content.map { _with($0.freeze()) } ?? self }
}
