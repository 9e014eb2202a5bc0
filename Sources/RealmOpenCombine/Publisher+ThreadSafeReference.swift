public import OpenCombine
public import RealmSwift

extension Publisher where Output: ThreadConfined {
  /// Lets the `receive(on:)` that follows hand objects and collections over.
  public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> { RealmPublishers.MakeThreadSafe(self) }
}

extension Publisher {
  /// Lets the `receive(on:)` that follows hand changes of objects over.
  public func threadSafeReference<T: Object>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T> where Output == ObjectChange<T> {
    RealmPublishers.MakeThreadSafeObjectChangeset(self)
  }

  /// Lets the `receive(on:)` that follows hand changes of projections over.
  public func threadSafeReference<T: ProjectionObservable>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T>
  where Output == ObjectChange<T> {
    RealmPublishers.MakeThreadSafeObjectChangeset(self)
  }

  /// Lets the `receive(on:)` that follows hand changes of collections over.
  public func threadSafeReference<T: RealmCollection>() -> RealmPublishers.MakeThreadSafeCollectionChangeset<Self, T>
  where Output == RealmCollectionChange<T> {
    RealmPublishers.MakeThreadSafeCollectionChangeset(self)
  }

  /// Lets the `receive(on:)` that follows hand changes of maps over.
  public func threadSafeReference<T: RealmKeyedCollection>() -> RealmPublishers.MakeThreadSafeKeyedCollectionChangeset<Self, T>
  where Output == RealmMapChange<T> {
    RealmPublishers.MakeThreadSafeKeyedCollectionChangeset(self)
  }

  /// Lets the `receive(on:)` that follows hand changes of sections over.
  public func threadSafeReference<T: RealmSectionedResult>() -> RealmPublishers.MakeThreadSafeSectionedResultsChangeset<Self, T>
  where Output == SectionedResultsChange<T> {
    RealmPublishers.MakeThreadSafeSectionedResultsChangeset(self)
  }
}
