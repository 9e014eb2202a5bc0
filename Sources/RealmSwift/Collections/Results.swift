import RealmStorage

/// The live outcome of a query.
///
/// Evaluated when it is first needed and again when something has changed. Going through it with `for` goes through the elements that it had
/// at the start.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<Results>
  let base: ResultsCore

  init(_ base: ResultsCore) { self.base = base }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? { _ResultsBox(core: base) }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { [] }
  /// The name that descriptions begin with.
  public static var _kindName: String { "Results" }

  /// True for the same results: those of one call, and copies of them. Other results are unequal, whatever they show.
  public static func == (a: Results, b: Results) -> Bool { a.base === b.base }

  /// The results as they are now, for any thread, unchangeable. They keep what they found. Stops when invalidated.
  public func freeze() -> Results { orStop(base.core) { Results(try base.frozen()) } }
  /// The live results for the calling thread, of frozen ones; live ones are themselves.
  public func thaw() -> Results? { orStop(base.core) { try base.thawed().map { Results($0) } } }
}

extension Results: Encodable where Element: Encodable {}

extension Results: _ObjcBridgeable {}
