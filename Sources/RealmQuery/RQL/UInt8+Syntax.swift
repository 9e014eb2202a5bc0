extension UInt8 {
  @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  @inline(__always) var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
  var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
  var isHexadecimal: Bool { hexadecimalDigit != nil }
  var startsIdentifier: Bool { isLetter || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") }
  var continuesIdentifier: Bool { startsIdentifier || isDigit || self == UInt8(ascii: "-") }
  var isBase64: Bool {
    isLetter || isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") || self == UInt8(ascii: "=")
  }
}
