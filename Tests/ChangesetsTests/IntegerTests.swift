import Testing

@testable import Changesets

@Suite struct IntegerTests {
  static let encodings: [(Int64, [UInt8])] = [
    (0, [0]), (-1, [0x40]), (5, [5]), (-2, [0x41]), (63, [0x3f]), (-64, [0x7f]), (64, [0xc0, 0]), (-65, [0xc0, 0x40]), (100, [0xe4, 0]),
    (-129, [0x80, 0x41]), (255, [0xff, 1]), (2_147_483_648, [0x80, 0x80, 0x80, 0x80, 8]),
    (.max, [UInt8](repeating: 0xff, count: 9) + [0]), (.min, [UInt8](repeating: 0xff, count: 9) + [0x40]),
  ]

  @Test(arguments: encodings) func theLastByteHasSixBitsAndASign(_ value: Int64, _ bytes: [UInt8]) throws {
    var writer = ByteWriter()
    writer.integer(value)
    #expect(writer.bytes == bytes)
    var reader = ByteReader(bytes)
    #expect(try reader.integer() == value)
    #expect(reader.isAtEnd)
  }

  @Test func integersAroundEveryPowerOfTwoComeBack() throws {
    for shift in 0..<63 {
      for difference in -1...1 as ClosedRange<Int64> {
        for value in [(1 << shift) &+ difference, -(1 << shift) &+ difference] {
          var writer = ByteWriter()
          writer.integer(value)
          var reader = ByteReader(writer.bytes)
          #expect(try reader.integer() == value)
        }
      }
    }
  }

  @Test func anOverlongIntegerIsRead() throws {
    var reader = ByteReader([0x85, 0])
    #expect(try reader.integer() == 5)
  }

  @Test(arguments: [
    [UInt8](repeating: 0xff, count: 9) + [1], [UInt8](repeating: 0xff, count: 10) + [0], [UInt8](repeating: 0x80, count: 100) + [0],
  ])
  func moreThan64BitsAreRefused(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    #expect(throws: ChangesetError.Reason.integerTooLong) { try reader.integer() }
  }

  @Test(arguments: [0, 1, 63, 64, 1 << 113, .max] as [UInt128]) func coefficientsHave128Bits(_ value: UInt128) throws {
    var writer = ByteWriter()
    writer.wideInteger(value)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.wideInteger() == value)
  }
}
