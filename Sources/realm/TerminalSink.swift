import RealmInspection
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output where a person reads it: what a file holds must not steer the terminal. Other outputs get it as it is.
final class TerminalSink: ByteSink {
  private let sink: DescriptorSink
  /// The last byte, if the next one decides what it is: of a line end, or the first of a character.
  private var undecided: UInt8?

  private init(_ sink: DescriptorSink) { self.sink = sink }

  static func standardOutput() -> any ByteSink {
    let sink = DescriptorSink(descriptor: STDOUT_FILENO, path: Diagnostics.standardOutput)
    return Terminal.showsResults ? TerminalSink(sink) : sink
  }

  func write(_ bytes: [UInt8]) throws(StorageError) {
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    for byte in bytes { show(byte, &shown) }
    try sink.write(shown)
  }

  private func show(_ byte: UInt8, _ shown: inout [UInt8]) {
    if let first = undecided {
      undecided = nil
      switch (first, byte) {
      // The second byte of U+0080 to U+009F is the number of the character.
      case (0xC2, 0x80...0x9F): return shown.append(contentsOf: Self.escape(byte))
      case (0xC2, _), (0x0D, 0x0A): shown.append(first)
      default: shown.append(contentsOf: Self.escape(first))
      }
    }
    switch byte {
    case 0x09, 0x0A: shown.append(byte)
    case 0x0D, 0xC2: undecided = byte
    case 0x00..<0x20, 0x7F: shown.append(contentsOf: Self.escape(byte))
    default: shown.append(byte)
    }
  }

  private static func escape(_ number: UInt8) -> String.UTF8View { ShownText.escaped(String(UnicodeScalar(number))).utf8 }
}
