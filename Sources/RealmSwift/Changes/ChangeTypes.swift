public import Foundation

/// What has happened to an observed collection.
@frozen public enum RealmCollectionChange<CollectionType> {
  /// The first report, with the collection as it is when the observation begins.
  case initial(CollectionType)
  /// The collection has changed. Deletions and modifications are positions before the change, insertions positions after it.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never delivered: what cannot be observed stops when the observation begins.
  case error(any Error)
}

/// What has happened to an observed map.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first report, with the map as it is when the observation begins.
  case initial(Collection)
  /// The map has changed. Deletions are keys that are gone, modifications keys whose values were set.
  case update(Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never delivered: what cannot be observed stops when the observation begins.
  case error(any Error)
}

/// What has happened to an observed object.
@frozen public enum ObjectChange<T> {
  /// Never delivered: what cannot be observed stops when the observation begins.
  case error(_ error: NSError)
  /// One or more properties were set, perhaps to the values that they had.
  case change(_: T, _: [PropertyChange])
  /// The object is gone; this is the last report.
  case deleted
}

/// A property of an observed object that was set.
@frozen public struct PropertyChange {
  /// The name of the property, as the class declares it.
  public let name: String
  /// Nil if the change was made through the observing realm itself; else `NSNull` for null and for collections.
  public let oldValue: Any?
  /// `NSNull` for null and for collections.
  public let newValue: Any?
}

/// A property of an observed projection that was set. The name is that of the projection's property.
public struct ProjectedPropertyChange {
  /// The name of the projection's property.
  public let name: String
  /// Before the change, projected; nil where that of the underlying property is.
  public let oldValue: Any?
  /// After the change, projected; nil where that of the underlying property is.
  public let newValue: Any?
}

/// What has happened to observed sectioned results, or to one section of them.
///
/// Deletions and modifications are places before the change, insertions places after it. Elements of sections that are deleted as a whole are not
/// listed, those of inserted sections are. An observer of one section is told its number among all sections.
@frozen public enum SectionedResultsChange<Collection> {
  /// The first report, with the sections as they are when the observation begins.
  case initial(Collection)
  /// Sections or their elements have changed. Deletions and modifications are places before the change, insertions places after it.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath], sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// Another name of `SectionedResultsChange`, as the original SDK has it.
public typealias RealmSectionedResultsChange = SectionedResultsChange
