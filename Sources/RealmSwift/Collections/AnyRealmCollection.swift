import RealmStorage

/// Any kind of collection with elements of one type.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<AnyRealmCollection>
  private enum Base {
    case managed(_ResultsBox)
    case unmanaged(any RealmCollection<Element>)
  }
  private let base: Base

  /// Wraps a collection, whose own type is hidden. What it shows stays the same, and live if it is.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = base._resultsBox.map { .managed($0) } ?? .unmanaged(base)
  }
  private init(_ core: ResultsCore) { base = .managed(_ResultsBox(core: core)) }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? {
    switch base {
    case .managed(let box): box
    case .unmanaged(let collection): collection._resultsBox
    }
  }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { unmanaged?._unmanagedElements ?? [] }
  /// What it stands for, if that was not managed when it was made.
  var unmanaged: (any RealmCollection<Element>)? { if case .unmanaged(let collection) = base { collection } else { nil } }
  /// The name that descriptions begin with.
  public static var _kindName: String { "AnyRealmCollection" }

  /// True if both show the same collection; unmanaged ones if their elements are equal.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    guard let x = a.results, let y = b.results else {
      return a.results == nil && b.results == nil && a._unmanagedElements == b._unmanagedElements
    }
    return x.isSame(y)
  }

  /// The collection as it is now, for any thread, unchangeable. Stops for an unmanaged collection.
  public func freeze() -> AnyRealmCollection { orStop(results?.core) { AnyRealmCollection(try managedResults.frozen()) } }
  /// The live collection for the calling thread, of a frozen one; nil if it is gone. Stops for an unmanaged collection.
  public func thaw() -> AnyRealmCollection? {
    orStop(results?.core) { try managedResults.thawed().map { AnyRealmCollection($0) } }
  }
}

extension AnyRealmCollection: Encodable where Element: Encodable {}

extension AnyRealmCollection: _ObjcBridgeable {}
