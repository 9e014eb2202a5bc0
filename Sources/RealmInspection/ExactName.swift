/// A name by its bytes, as files tell names apart: for Swift's texts, two ways to write a letter with an accent are the same.
package struct ExactName: Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }

  package static func == (a: ExactName, b: ExactName) -> Bool { a.text == b.text && a.text.utf8.elementsEqual(b.text.utf8) }
  /// Names that differ only in how letters are written may have the same one.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
