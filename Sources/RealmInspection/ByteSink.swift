package import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where exported bytes go.
package protocol ByteSink: AnyObject {
  func write(_ bytes: [UInt8]) throws(StorageError)
}

/// Writes to an open descriptor, which stays open.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let path: String

  package init(descriptor: Int32, path: String) { (self.descriptor, self.path) = (descriptor, path) }

  package func write(_ bytes: [UInt8]) throws(StorageError) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { unsafe writeBytes(descriptor, $0, from: start) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == ENOSPC || errno == EDQUOT { throw .outOfDiskSpace(operation: "write", path: path) }
        throw .io(operation: "write", path: path, code: errno)
      }
      start += count
    }
  }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
  unsafe write(descriptor, bytes.baseAddress! + start, bytes.count - start)
}

/// Keeps everything, for tests and small results.
package final class MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []
  package init() {}
  package func write(_ more: [UInt8]) throws(StorageError) { bytes.append(contentsOf: more) }
}

/// Compares what is written with what is expected, without keeping it.
package final class ComparingSink: ByteSink {
  private let expected: [UInt8]
  private var position = 0
  /// Where the first difference lies; nil while there is none.
  package private(set) var difference: Int?

  package init(expected: [UInt8]) { self.expected = expected }

  package func write(_ bytes: [UInt8]) throws(StorageError) {
    guard difference == nil else { return }
    for (index, byte) in bytes.enumerated() where position + index >= expected.count || expected[position + index] != byte {
      difference = position + index
      return
    }
    position += bytes.count
  }
  /// Call after the last write.
  package var isEqual: Bool { difference == nil && position == expected.count }
  package var writtenByteCount: Int { position }
}

/// Collects text and hands it to a sink in large pieces.
package final class TextOutput {
  package var buffer: [UInt8] = []
  private let sink: any ByteSink
  private static let pieceByteCount = 1 << 16

  package init(_ sink: any ByteSink) {
    self.sink = sink
    buffer.reserveCapacity(TextOutput.pieceByteCount * 2)
  }

  @inline(__always) package func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  /// Hands the text on if it is long enough.
  @inline(__always) package func flushIfLong() throws(StorageError) {
    if buffer.count >= TextOutput.pieceByteCount { try flush() }
  }
  /// The text, which is not to be handed on. A copy: the buffer itself keeps its large capacity, and whoever held it would, too.
  func take() -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(buffer.count)
    text += buffer
    buffer.removeAll(keepingCapacity: true)
    return text
  }
  package func flush() throws(StorageError) {
    if buffer.isEmpty { return }
    try sink.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
