// What debuggers and failing tests show of nodes and leaves: one line, of bounded length, whatever the bytes.

extension NodeHeader: CustomDebugStringConvertible {
  package var debugDescription: String {
    let flags = [isInner ? "inner" : nil, hasRefs ? "refs" : nil, hasContext ? "context" : nil].compactMap { $0 }.map { $0 + " " }.joined()
    switch scheme {
    case .bits: return "\(flags)\(count) × \(width) bits"
    case .bytes: return "\(flags)\(count) × \(width) bytes"
    case .blob: return "\(flags)blob of \(count) bytes"
    case nil: return "\(flags)\(count) elements of scheme 3"
    }
  }
}

extension Node: CustomDebugStringConvertible {
  package var debugDescription: String {
    let content: String
    switch header.scheme {
    case .bits: content = Excerpt.list(count) { describe(element(unchecked: $0)) }
    case .bytes, .blob: content = Excerpt.bytes(bytes(unchecked: 0..<min(header.payloadByteCount, byteCount - NodeHeader.byteCount, 64)))
    case nil: content = ""
    }
    return "node \(ref) (\(header)): \(content)"
  }

  private func describe(_ element: Int64) -> String {
    if !header.hasRefs || element == 0 { return "\(element)" }
    return element & 1 == 1 ? "#\(UInt64(bitPattern: element) >> 1)" : "\(Ref(element: element))"
  }
}

extension LeafReader: CustomDebugStringConvertible {
  package var debugDescription: String { Excerpt.list(count) { "\(try value($0))" } }
}

extension NullableIntegerLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.nullableInt(self))" }
}
extension StringLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.string(self))" }
}
extension BinaryLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.binary(self))" }
}
extension MixedLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.mixed(self))" }
}
extension TimestampLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.timestamp(self))" }
}
extension DecimalLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.decimal(self))" }
}
extension FixedBytesLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { "\(LeafReader.fixedBytes(self))" }
}
extension FloatingLeaf: CustomDebugStringConvertible {
  package var debugDescription: String { Excerpt.list(count) { "\(try value($0))" } }
}
