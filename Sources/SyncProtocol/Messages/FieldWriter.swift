/// Writes heads: fields between single spaces.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  /// - Parameter message: the first word.
  init(_ message: String = "") { bytes.append(contentsOf: message.utf8) }

  mutating func field(_ value: some BinaryInteger) { field(String(value)) }
  mutating func field(_ value: Bool) { field(value ? "1" : "0") }

  mutating func field(_ text: String) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    bytes.append(contentsOf: text.utf8)
  }

  mutating func fields(_ values: UInt64...) { for value in values { field(value) } }

  /// The end of the head, and the body.
  mutating func endHead(_ body: [UInt8] = []) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: body)
  }

  mutating func endHead(_ body: String) { endHead(Array(body.utf8)) }
}
