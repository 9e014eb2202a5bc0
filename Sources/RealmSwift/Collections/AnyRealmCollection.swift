import RealmStorage

/// Any kind of collection with elements of one type.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<AnyRealmCollection>
  private let box: _ResultsBox?
  private let storage: [Element]

  /// The same collection, whose type is not to be seen. An unmanaged one is copied.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    box = base._resultsBox
    storage = box == nil ? base._unmanagedElements : []
  }
  private init(_ core: ResultsCore) {
    box = _ResultsBox(core: core)
    storage = []
  }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? { box }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { storage }
  /// The name that descriptions begin with.
  public static var _kindName: String { "AnyRealmCollection" }

  /// True if both show the same collection; unmanaged ones if their elements are equal.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    guard let x = a.box?.core, let y = b.box?.core else { return a.box == nil && b.box == nil && a.storage == b.storage }
    return x.isSame(y)
  }

  /// The collection as it is now, for any thread, unchangeable. Stops for an unmanaged collection.
  public func freeze() -> AnyRealmCollection { orStop(managedResults.core) { AnyRealmCollection(try managedResults.frozen()) } }
  /// The live collection for the calling thread, of a frozen one; nil if it is gone. Stops for an unmanaged collection.
  public func thaw() -> AnyRealmCollection? {
    orStop(managedResults.core) { try managedResults.thawed().map { AnyRealmCollection($0) } }
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}
