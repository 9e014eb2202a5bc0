import FlyingSocks
import Foundation

/// The bytes of a temporary file, which loses its name at once: whenever and however the program ends, nothing of what a realm holds is left behind.
struct NamelessFile: AsyncBufferedSequence {
  typealias Element = UInt8
  private let file: FileHandle
  let count: Int

  init(_ path: String) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    count = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
  }

  func makeAsyncIterator() -> Iterator { Iterator(file: file) }

  /// There is one, as an answer is sent once.
  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let file: FileHandle

    func next() async throws -> UInt8? { try file.read(upToCount: 1)?.first }
    func nextBuffer(suggested count: Int) async throws -> Data? {
      let bytes = try file.read(upToCount: count) ?? Data()
      return bytes.isEmpty ? nil : bytes
    }
  }
}
