/// What a table is called: by the name of its class, or if it has none by its own, which may be that of a class, too.
///
/// Every file of an application has such a table, `metadata`, with the version of its schema.
package struct TableName: Sendable {
  /// For programs, which are told by ``kind`` what it is the name of.
  package let text: String
  package let isClass: Bool

  package init(_ name: [UInt8]) {
    text = SchemaText.className(name)
    isClass = SchemaText.isClass(name)
  }

  /// The member of JSON that holds ``text``.
  package var kind: String { isClass ? "class" : "table" }
  /// For people.
  package var title: String { isClass ? text : text + " (table without class)" }
  /// In a sentence: `class Dog`, `table metadata`.
  package var phrase: String { kind + " " + text }
  /// ``title`` for a property of it; nil for the table itself.
  package func title(of property: String?) -> String { property.map { title + "." + $0 } ?? title }
}
