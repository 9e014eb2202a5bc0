package import RealmStorage

/// Why a query was refused, or could not be answered.
package enum QueryError: Error, Equatable, Sendable {
  /// - Parameter offset: byte offset in the text, where there is one.
  case invalid(Code, message: String, offset: Int?)
  case storage(StorageError)
  /// The task that ran the query was cancelled.
  case cancelled

  /// The names of realm-core's codes (Q14) and, for formats, the exception names of Q16.6.
  package enum Code: Hashable, Sendable {
    case syntaxError, invalidQuery, invalidQueryArg, invalidSortDescriptor, illegalOperation, invalidArgument, invalidProperty
    /// "Invalid predicate", "Invalid value" ...; what an Objective-C exception of the SDK is called.
    case exception(name: String)

    package var name: String {
      switch self {
      case .syntaxError: "SyntaxError"
      case .invalidQuery: "InvalidQuery"
      case .invalidQueryArg: "InvalidQueryArg"
      case .invalidSortDescriptor: "InvalidSortDescriptor"
      case .illegalOperation: "IllegalOperation"
      case .invalidArgument: "InvalidArgument"
      case .invalidProperty: "InvalidProperty"
      case .exception(let name): name
      }
    }
  }

  package var message: String {
    switch self {
    case .invalid(_, let message, _): message
    case .storage(let error): "\(error)"
    case .cancelled: "The query was cancelled"
    }
  }

  static func query(_ message: String, at offset: Int? = nil) -> QueryError { .invalid(.invalidQuery, message: message, offset: offset) }
  static func argument(_ message: String, at offset: Int? = nil) -> QueryError { .invalid(.invalidQueryArg, message: message, offset: offset) }
}

/// Runs a piece of the engine and passes its error on.
@inline(__always)
func storage<Result>(_ body: () throws(StorageError) -> Result) throws(QueryError) -> Result {
  do throws(StorageError) { return try body() } catch {
    if case .interrupted = error { throw .cancelled }
    throw .storage(error)
  }
}
