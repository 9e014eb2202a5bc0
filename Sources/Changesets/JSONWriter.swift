/// Writes JSON as text, members in the order of the calls.
struct JSONWriter {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ body: (inout Self) -> Void) { enclosed("{", "}", body) }
  mutating func array(_ body: (inout Self) -> Void) { enclosed("[", "]", body) }

  /// The value is what is written next.
  mutating func name(_ name: String) {
    string(name)
    text += ":"
    needsComma = false
  }

  mutating func string(_ value: String) {
    separate()
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 0x20: text += "\\u00" + Hexadecimal.text(UInt128(scalar.value), byteCount: 1)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  mutating func number(_ value: Int64) {
    separate()
    text += String(value)
  }

  mutating func bool(_ value: Bool) {
    separate()
    text += value ? "true" : "false"
  }

  private mutating func enclosed(_ open: String, _ close: String, _ body: (inout Self) -> Void) {
    separate()
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = true
  }
}
