/// What a set of subscriptions asks for: a predicate for every class (P7.1).
package struct QueryText: Equatable, Sendable {
  /// In the order of the names' bytes.
  package private(set) var classes: [(name: String, predicate: String)] = []

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  /// One for each class: what any of its subscriptions asks for.
  package init(subscriptions: [(className: String, predicate: String)]) {
    var predicates: [[UInt8]: Set<[UInt8]>] = [:]
    for subscription in subscriptions {
      predicates[Array(subscription.className.utf8), default: []].insert(Array("(\(subscription.predicate))".utf8))
    }
    for (name, texts) in predicates.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let parts = texts.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
      classes.append((String(decoding: name, as: UTF8.self), parts.joined(separator: " OR ")))
    }
  }

  /// The text of a QUERY or IDENT.
  package var text: String { JSONValue.object(classes.map { JSONValue.Member($0.name, .string($0.predicate)) }).text }

  package init(parsing text: String, message: String = "query") throws(ProtocolError) {
    let json = try JSONValue(parsing: text, message: message, field: "query")
    guard case .object(let members) = json else { throw Self.error(message, "query") }
    for member in members {
      guard let predicate = member.value.string else { throw Self.error(message, member.name) }
      classes.append((member.name, predicate))
    }
    classes.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func error(_ message: String, _ field: String) -> ProtocolError {
    ProtocolError(message: message, field: field, offset: 0, reason: .malformedJSON)
  }
}
