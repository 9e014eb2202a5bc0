import RealmQuery

/// How text is compared in queries.
public struct StringOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `é` is the same as `É`.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `é` is the same as `e`.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

/// Stands for an object, or a value that is reached from it, in the closures of `where` and `index(matching:)`.
///
///     realm.objects(Person.self).where { $0.age > 3 && $0.dogs.name.starts(with: "R") }
///
/// Paths through collections mean that there is some element for which the comparison holds.
@dynamicMemberLookup
public struct Query<T> {
  let node: QueryNode

  /// The queried object.
  init() { node = .path(RecordedPath()) }
  init(_ node: QueryNode) { self.node = node }
  init(_ path: RecordedPath) { node = .path(path) }

  /// The way that has led here.
  var path: RecordedPath {
    guard case .path(let path) = node else { stop("Cannot apply a keypath to \(T.self)") }
    return path
  }

  /// A property of the class that this stands for.
  func member<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> Query<V> {
    let shape = (V.self as? any _Persistable.Type)?._shape
    let isCollection = shape?.collection != nil || shape?.type == .linkingObjects
    return Query<V>(path.appending(.property(_name(for: keyPath), isCollection: isCollection)))
  }

  func compare(_ relation: Relation, _ value: Any, _ options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(node, relation, options, .constant(of: value)))
  }
  func compare<U>(_ relation: Relation, to other: Query<U>, _ options: StringOptions = []) -> Query<Bool> {
    Query<Bool>(.comparison(node, relation, options, other.node))
  }

  // MARK: Properties

  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase { self.member(member) }

  // MARK: Equality

  public static func == (a: Query<T>, b: T) -> Query<Bool> { a.compare(.equal, b) }
  public static func == (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.equal, to: b) }
  public static func != (a: Query<T>, b: T) -> Query<Bool> { a.compare(.notEqual, b) }
  public static func != (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.notEqual, to: b) }

  /// Equal to one of several values.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T { membership(collection) }

  func membership<U: Sequence>(_ values: U) -> Query<Bool> { Query<Bool>(.membership(node, values.map { QueryNode.plain($0) })) }

  func range<Bound>(_ range: Range<Bound>) -> Query<Bool> { compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound) }
  func range<Bound>(_ range: ClosedRange<Bound>) -> Query<Bool> {
    Query<Bool>(.between(node, QueryNode.plain(range.lowerBound), QueryNode.plain(range.upperBound)))
  }

  // MARK: Outcome

  /// The format string and its arguments. Public for tests.
  public func _constructPredicate() -> (String, [Any]) {
    let text = orStop { try QueryText(node) }
    return (text.format, text.arguments)
  }
  /// The same.
  public func _constructForTesting() -> (String, [Any]) { _constructPredicate() }
  /// A query that says nothing yet. Public for tests only.
  public static func _constructForTesting() -> Query<T> { Query() }
}

extension Query where T: ProjectionObservable {
  /// Projections are queried by the properties of their root objects.
  public subscript<V>(dynamicMember member: KeyPath<T.Root, V>) -> Query<V> { self.member(member) }
}

extension Query where T: OptionalProtocol {
  /// A property of the object that a link leads to; null if the link is.
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> where T.Wrapped: ObjectBase { self.member(member) }

  /// Equal to one of several values.
  @_disfavoredOverload
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T.Wrapped { membership(collection) }

  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> where T.Wrapped: Comparable { self.range(range) }
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> where T.Wrapped: Comparable { self.range(range) }
}

extension Query where T: Comparable {
  /// From the lower bound up to and without the upper one.
  public func contains(_ range: Range<T>) -> Query<Bool> { self.range(range) }
  /// From the lower bound to the upper one.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> { self.range(range) }
}

extension Query where T == Bool {
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> { Query<Bool>(.not(query.node)) }
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { Query<Bool>(a.node && b.node) }
  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { Query<Bool>(a.node || b.node) }

  /// How many elements of a collection satisfy the condition: a subquery. All collections in the condition have to be the same one.
  public var count: Query<Int> { Query<Int>(.subqueryCount(node)) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  public static func > (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greater, b) }
  public static func > (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greater, to: b) }
  public static func >= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  public static func >= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greaterOrEqual, to: b) }
  public static func < (a: Query<T>, b: T) -> Query<Bool> { a.compare(.less, b) }
  public static func < (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.less, to: b) }
  public static func <= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.lessOrEqual, b) }
  public static func <= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.lessOrEqual, to: b) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  // Of a property of the objects in a collection: `$0.dogs.age.max`.

  public var min: Query<T> { Query(path.aggregating(.min)) }
  public var max: Query<T> { Query(path.aggregating(.max)) }
  public var avg: Query<T> { Query(path.aggregating(.average)) }
  public var sum: Query<T> { Query(path.aggregating(.sum)) }
}

// MARK: Text and bytes

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.contains, value, options) }
  public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.contains, to: column, options) }

  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.beginsWith, value, options) }
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.beginsWith, to: column, options) }

  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.endsWith, value, options) }
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.endsWith, to: column, options) }

  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.equal, value, options) }
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.equal, to: column, options) }

  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.notEqual, value, options) }
  public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.notEqual, to: column, options) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Matches a pattern in which `?` stands for one character and `*` for any number of them.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> { compare(.like, value, caseInsensitive ? .caseInsensitive : []) }
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryString { compare(.like, to: column, caseInsensitive ? .caseInsensitive : []) }

  /// An addition of ours: all the words occur in a property with a full-text index; `-word` must not occur, `word*` is a beginning.
  public func fullText(_ words: String) -> Query<Bool> { compare(.text, words) }
}
