import TestSupport
import Testing

@testable import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A temporary file, its mapping and scratch memory behind it. The file is deleted at once; its descriptor keeps it alive.
final class TestScratch {
  let scratch: Scratch
  let mapping: Mapping
  /// Bytes of the file, and the logical size of every space.
  let byteCount: Int
  private let descriptor: Int32

  /// - Parameter bytes: the contents of the file, at least 4096 bytes are made of it.
  init(_ bytes: [UInt8] = [], byteCount least: Int = 4096) throws {
    var name = Array("/tmp/regnum-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw StorageError.io(operation: "mkstemp", path: "/tmp", code: errno) }
    unlink(name)
    byteCount = (max(bytes.count, least) + 7) & ~7
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw StorageError.io(operation: "ftruncate", path: "/tmp", code: errno) }
    mapping = try Mapping(descriptor: descriptor, byteCount: UInt64(byteCount))
    scratch = Scratch(mapping: mapping, logicalByteCount: UInt64(byteCount))
    try write(bytes)
  }

  deinit { close(descriptor) }

  /// Replaces the beginning of the file; the mapping sees it at once.
  func write(_ bytes: [UInt8], at offset: Int = 0) throws {
    guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
      throw StorageError.io(operation: "pwrite", path: "/tmp", code: errno)
    }
  }

  /// What the writer sees.
  var space: NodeSpace { scratch.space }
  /// What a reader of the file sees.
  var fileSpace: NodeSpace { mapping.readerSpace(logicalByteCount: UInt64(byteCount)) }
}

extension NodeImage {
  /// Copies the tree at `ref`, children first.
  init(of ref: Ref, in space: NodeSpace) throws {
    self.init()
    root = try add(ref, space)
  }

  private mutating func add(_ ref: Ref, _ space: NodeSpace) throws -> Ref {
    let node = try space.node(at: ref)
    var payload = node.bytes(unchecked: 0..<node.byteCount - 8)
    // What lies beyond the last element is undefined in scratch memory.
    for index in node.header.payloadByteCount..<max(payload.count, node.header.payloadByteCount) { payload[index] = 0 }
    if node.header.hasRefs {
      for index in 0..<node.count {
        let element = node.element(unchecked: index)
        guard element != 0 && element & 1 == 0 else { continue }
        let child = try add(Ref(element: element), space).byteOffset
        for position in 0..<8 { payload[index * 8 + position] = UInt8(truncatingIfNeeded: child >> UInt64(position * 8)) }
      }
    }
    return append(header: node.header.bits, payload)
  }
}

/// A text that two values share exactly when they are identical, bit by bit.
func identity(_ value: Value) -> String {
  switch value {
  case .float(let number): "float \(number.bitPattern)"
  case .double(let number): "double \(number.bitPattern)"
  // Descriptions of values are cut off after some bytes.
  case .string(let bytes): "string \(bytes)"
  case .binary(let bytes): "binary \(bytes)"
  default: "\(value)"
  }
}
