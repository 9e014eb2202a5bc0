import Foundation

@testable import RealmStorage

/// Scratch memory behind an empty mapped file.
struct TestScratch {
  let mapping: Mapping
  let scratch: Scratch

  /// - Parameter image: the contents of the file; padded to a page.
  init(image: [UInt8] = []) throws {
    let path = FileManager.default.temporaryDirectory.path + "/regnum-\(UUID().uuidString).image"
    var bytes = image
    bytes.append(contentsOf: [UInt8](repeating: 0, count: 4096 - image.count % 4096))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    mapping = try Mapping(descriptor: handle.fileDescriptor, byteCount: UInt64(bytes.count))
    try handle.close()
    scratch = Scratch(mapping: mapping, logicalByteCount: UInt64(bytes.count))
  }
}

/// SplitMix64: a small generator whose whole state is the printed seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
