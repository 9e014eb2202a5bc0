public import Foundation
package import RealmStorage
import Synchronization

/// A 12-byte identifier, unique without coordination: four bytes of time, five of the process, three of a counter.
public struct ObjectId: Sendable, Hashable {
  private let value: RealmStorage.ObjectID

  /// Makes the identifier of twelve zero bytes, always the same; a new one is made by ``generate()``.
  public init() { value = RealmStorage.ObjectID(high: 0, low: 0) }

  /// A new identifier: the current time, bytes that are random for each process, and the next value of a counter.
  public static func generate() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970))
    return ObjectId(seconds: seconds, process: Generator.process)
  }

  /// Makes an identifier from its text, in upper or lower case.
  /// - Throws: `Realm.Error.invalidInput` if `string` is not 24 hexadecimal digits.
  public init(string: String) throws {
    guard let value = Self.parse(string) else {
      throw Realm.Error(.invalidInput, description: "Invalid Object ID string '\(string)': must be 24 hex digits")
    }
    self.value = value
  }

  /// A new identifier with the lower 24 bits of `machineId`, the lower 16 of `processId`, and the next value of the counter.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = timestamp.timeIntervalSince1970
    let clamped = seconds.isNaN ? 0 : min(max(seconds, -0x1p62), 0x1p62)
    self.init(
      seconds: UInt32(truncatingIfNeeded: Int64(clamped)),
      process: (UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF) << 16 | UInt64(truncatingIfNeeded: processId) & 0xFFFF)
  }

  /// Stops the process if `str` is not 24 hexadecimal digits.
  public init(_ str: StaticString) {
    guard let value = Self.parse(str.description) else {
      stop("Invalid Object ID string '\(str)': must be 24 hex digits")
    }
    self.value = value
  }

  /// The moment that the identifier carries, in whole seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(value.high >> 32)) }

  /// The identifier as text: 24 lower-case hexadecimal digits.
  public var stringValue: String {
    let high = String(value.high, radix: 16), low = String(value.low, radix: 16)
    return String(repeating: "0", count: 16 - high.utf8.count) + high + String(repeating: "0", count: 8 - low.utf8.count) + low
  }

  package init(_ engineValue: RealmStorage.ObjectID) { value = engineValue }

  package var engineValue: RealmStorage.ObjectID { value }

  /// - Parameter process: 40 bits.
  private init(seconds: UInt32, process: UInt64) {
    let count = Generator.counter.wrappingAdd(1, ordering: .relaxed).oldValue & 0xFF_FFFF
    value = RealmStorage.ObjectID(
      high: UInt64(seconds) << 32 | process >> 8, low: UInt32(truncatingIfNeeded: process & 0xFF) << 24 | count)
  }

  private static func parse(_ text: String) -> RealmStorage.ObjectID? {
    guard text.utf8.count == 24 else { return nil }
    var high: UInt64 = 0, low: UInt32 = 0
    for byte in text.utf8 {
      let digit: UInt32
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = UInt32(byte | 0x20) - UInt32(UInt8(ascii: "a")) + 10
      default: return nil
      }
      high = high << 4 | UInt64(low >> 28)
      low = low << 4 | digit
    }
    return RealmStorage.ObjectID(high: high, low: low)
  }
}

/// What all identifiers of this process share.
private enum Generator {
  static let process = UInt64.random(in: 0..<1 << 40)
  static let counter = Atomic<UInt32>(UInt32.random(in: 0...UInt32.max))
}

extension ObjectId: Comparable {
  /// Compares the bytes, hence times before everything else.
  public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.value < rhs.value }
}

extension ObjectId: CustomStringConvertible {
  /// The identifier as text: 24 lower-case hexadecimal digits.
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// From text of 24 hexadecimal digits; throws `Realm.Error.invalidInput` for other text.
  public init(from decoder: any Decoder) throws {
    try self.init(string: decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the identifier as a text of 24 hexadecimal digits.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
