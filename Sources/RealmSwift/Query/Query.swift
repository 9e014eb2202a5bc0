import RealmQuery

/// How text is compared in queries.
public struct StringOptions: OptionSet, Sendable {
  /// One bit for each option.
  public let rawValue: Int
  /// Makes a set of options from their bits: 1 and 2.
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
    // The compiler lets members of any type through where a property is looked for by its name (`T: ObjectBase` is not asked of `T`).
    let root = type(of: keyPath as AnyKeyPath).rootType
    guard root is ObjectBase.Type else {
      stop("Cannot query a member of '\(root)', which is stored as another type: write .persistableValue before it, then a stored property")
    }
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

  /// A property of the object.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase { self.member(member) }

  // MARK: Equality

  /// Equal to a value. Null equals null.
  public static func == (a: Query<T>, b: T) -> Query<Bool> { a.compare(.equal, b) }
  /// Equal to what another path leads to.
  public static func == (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.equal, to: b) }
  /// The path leads to something different from a value.
  public static func != (a: Query<T>, b: T) -> Query<Bool> { a.compare(.notEqual, b) }
  /// Different from what another path leads to.
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
  /// The format string and its arguments, as `_constructPredicate()` gives them. Public for tests only.
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

  /// From the lower bound up to and without the upper one; never null.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> where T.Wrapped: Comparable { self.range(range) }
  /// From the lower bound to the upper one; never null.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> where T.Wrapped: Comparable { self.range(range) }
}

extension Query where T: Comparable {
  /// From the lower bound up to and without the upper one.
  public func contains(_ range: Range<T>) -> Query<Bool> { self.range(range) }
  /// From the lower bound to the upper one.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> { self.range(range) }
}

extension Query where T == Bool {
  /// The condition does not hold.
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> { Query<Bool>(.not(query.node)) }
  /// True for what satisfies both conditions.
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { Query<Bool>(a.node && b.node) }
  /// One of the conditions holds, or both do.
  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { Query<Bool>(a.node || b.node) }

  /// How many elements of a collection satisfy the condition: a subquery. All collections in the condition have to be the same one.
  public var count: Query<Int> { Query<Int>(.subqueryCount(node)) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryOrdered {
  /// Greater than a value; null never is.
  public static func > (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greater, b) }
  /// Greater than what another path leads to.
  public static func > (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greater, to: b) }
  /// Greater than a value, or equal to it.
  public static func >= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  /// Greater than what another path leads to, or equal to it.
  public static func >= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greaterOrEqual, to: b) }
  /// Less than a value. A null text is less than every text; other nulls are less than nothing (Q5.1).
  public static func < (a: Query<T>, b: T) -> Query<Bool> { a.compare(.less, b) }
  /// Less than what another path leads to.
  public static func < (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.less, to: b) }
  /// Less than a value, or equal to it.
  public static func <= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.lessOrEqual, b) }
  /// Less than what another path leads to, or equal to it.
  public static func <= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.lessOrEqual, to: b) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  // Of a property of the objects in a collection: `$0.dogs.age.max`.

  /// The smallest value of the property among the objects of a collection; null if there is none.
  public var min: Query<T> { Query(path.aggregating(.min)) }
  /// The largest value of the property among the objects of a collection; null if there is none.
  public var max: Query<T> { Query(path.aggregating(.max)) }
  /// The mean of the property over the objects of a collection; null if there is none.
  public var avg: Query<T> { Query(path.aggregating(.average)) }
  /// The sum of the property over the objects of a collection; 0 if there is none.
  public var sum: Query<T> { Query(path.aggregating(.sum)) }
}

// MARK: Text and bytes

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// The value contains a text or bytes, compared by the options.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.contains, value, options) }
  /// Contains what another path leads to.
  public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.contains, to: column, options) }

  /// Begins with text or bytes.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.beginsWith, value, options) }
  /// Begins with what another path leads to.
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.beginsWith, to: column, options) }

  /// Ends with text or bytes.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> { compare(.endsWith, value, options) }
  /// Ends with what another path leads to.
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.endsWith, to: column, options) }

  /// Equal to text or bytes, by the options.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.equal, value, options) }
  /// Equal to what another path leads to, by the options.
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.equal, to: column, options) }

  /// Different from text or bytes, by the options.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> { compare(.notEqual, value, options) }
  /// Different from what another path leads to, by the options.
  public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryBinary { compare(.notEqual, to: column, options) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Matches a pattern in which `?` stands for one character and `*` for any number of them.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> { compare(.like, value, caseInsensitive ? .caseInsensitive : []) }
  /// Matches a pattern that another path leads to.
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool>
  where U: _HasPersistedType, U.PersistedType: _QueryString { compare(.like, to: column, caseInsensitive ? .caseInsensitive : []) }

  /// An addition of ours: all the words occur in a property with a full-text index; `-word` must not occur, `word*` is a beginning.
  public func fullText(_ words: String) -> Query<Bool> { compare(.text, words) }
}
