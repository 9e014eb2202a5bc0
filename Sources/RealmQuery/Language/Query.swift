package import RealmStorage

/// What selects and orders objects, as written or built: names are not resolved and types not checked before `bind`.
///
/// All front ends make this: `Query(_:arguments:)` from RQL text, `PredicateFormat` from the format strings of `filter`, and the SDK's typed
/// `where` by building the tree.
package struct Query: Sendable {
  /// Whose rules the conditions follow where the two differ (Q16.4).
  package enum Dialect: Sendable {
    /// Generous conversions, ANY by default, null-aware string operators.
    case rql
    /// Cocoa's format strings and the typed `where`: constants fit the property's type or are refused, the property is on the left.
    case format
  }

  package var condition: Condition
  package var descriptors: [Descriptor]
  /// What `$0`, `$1` ... stand for.
  package var arguments: [QueryArgument]
  package var dialect: Dialect
  /// Its text may have dates in other forms than the original's; what else is written like one, and compared with a date, is refused.
  var acceptsISODates = false
  /// Places on the earth may be objects of their own: copies of embedded ones, made to be searched.
  package var acceptsTopLevelPoints = false

  package init(_ condition: Condition, _ descriptors: [Descriptor] = [], arguments: [QueryArgument] = [], dialect: Dialect) {
    self.condition = condition
    self.descriptors = descriptors
    self.arguments = arguments
    self.dialect = dialect
  }

  /// Selects everything.
  package static let all = Query(.constant(true), dialect: .rql)
}

/// A value from outside the text.
package enum QueryArgument: Sendable {
  /// Objects are `.typedLink`; a bare object key is `.link`.
  case value(Value)
  case list([Value])
  case geo(GeoShape)
  /// An object that no realm manages, or that was deleted: equals nothing (Q16.3, rule 14).
  case detachedObject
}

/// A step of ordering or thinning out, in the order written (Q13).
package enum Descriptor: Sendable {
  case sort([SortKey])
  /// Keeps the first object of each combination of values.
  case distinct([QueryPath])
  case limit(Int)
}

package struct SortKey: Sendable {
  package var path: QueryPath
  package var isAscending: Bool
  package init(_ path: QueryPath, ascending: Bool = true) {
    self.path = path
    isAscending = ascending
  }
}
