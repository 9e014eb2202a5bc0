/// A key of an unmanaged map. Texts are one key if their bytes are the same, as in a file; `String` takes two Unicode forms of a text for equal.
struct EntryKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: EntryKey, b: EntryKey) -> Bool { a.text == b.text && a.text.utf8.elementsEqual(b.text.utf8) }
  // What is equal byte by byte has equal hashes.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
