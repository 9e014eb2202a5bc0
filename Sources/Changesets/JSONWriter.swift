/// Writes JSON as text, members in the order of the calls.
package struct JSONWriter {
  package private(set) var text = ""
  private var needsComma = false

  package init() {}

  package mutating func object(_ body: (inout Self) -> Void) { enclosed("{", "}", body) }
  package mutating func array(_ body: (inout Self) -> Void) { enclosed("[", "]", body) }

  /// The value is what is written next.
  package mutating func name(_ name: String) {
    string(name)
    text += ":"
    needsComma = false
  }

  package mutating func string(_ value: String) {
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

  package mutating func number(_ value: some BinaryInteger) {
    separate()
    text += String(value)
  }

  /// JSON has no word for numbers that are not finite: null stands for them.
  package mutating func number(_ value: Double) {
    separate()
    text += value.isFinite ? value.description : "null"
  }

  package mutating func null() {
    separate()
    text += "null"
  }

  package mutating func bool(_ value: Bool) {
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
