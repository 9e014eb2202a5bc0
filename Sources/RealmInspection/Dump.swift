package import RealmStorage

/// The node tree with the role of every node, for people who look for a fault.
package final class Dump {
  private let file: OpenFile
  private let output: TextOutput
  private let previewLimit: Int
  /// Only the tree below this node.
  private let start: Ref?
  /// Depth of `start` while its tree is being printed.
  private var startDepth: Int?
  private var failure: StorageError?
  /// Whether `start` was met.
  package private(set) var isFound: Bool

  package init(_ file: OpenFile, start: Ref?, previewLimit: Int, to sink: any ByteSink) {
    self.file = file
    self.start = start
    self.previewLimit = previewLimit
    isFound = start == nil
    output = TextOutput(sink)
  }

  /// - Returns: what checking the file found on the way.
  package func write() throws(StorageError) -> Verification {
    if start == nil { writeHeader() }
    let result = file.verify { [self] node, depth, role in visit(node, depth, role) }
    if let failure { throw failure }
    try output.flush()
    return result
  }

  private func writeHeader() {
    let header = file.header
    output.append("header\n")
    output.append("  @0x0 top ref 0: 0x\(String(header.topRefs[0], radix: 16))\(file.isStreaming ? " (streaming form)" : "")\n")
    output.append("  @0x8 top ref 1: 0x\(String(header.topRefs[1], radix: 16))\n")
    output.append("  @0x10 formats \(header.formats[0])/\(header.formats[1]), reserved \(header.reserved), flags \(header.flags)")
    output.append(" -> slot \(header.selectedSlot)\n  file size \(file.fileByteCount), top \(file.top)\n")
    output.append(file.top.isNull ? "no top array: nothing was committed yet\n" : "nodes; #n is the tagged integer n, @x a ref\n")
  }

  private func visit(_ node: Node, _ depth: Int, _ role: String) {
    guard failure == nil, prints(node, depth) else { return }
    let indent = String(repeating: "  ", count: min(depth - (startDepth ?? 0), 100))
    output.append("\(indent)@\(node.ref) \(role): \(flags(node.header)) count=\(node.count) bytes=\(node.byteCount)\n")
    if node.count > 0 { output.append("\(indent)    [\(preview(node))]\n") }
    if role == SyncHistory.role, node.header.scheme == .bits {
      for (slot, name) in zip(0..<node.count, SyncHistory.slotNames) {
        output.append("\(indent)    \(slot) \(name): \(element(node.element(unchecked: slot)))\n")
      }
    }
    do throws(StorageError) { try output.flushIfLong() } catch { failure = error }
  }

  private func prints(_ node: Node, _ depth: Int) -> Bool {
    guard let start else { return true }
    if node.ref == start {
      (startDepth, isFound) = (depth, true)
      return true
    }
    guard let startDepth else { return false }
    if depth <= startDepth { self.startDepth = nil }
    return depth > startDepth
  }

  private func flags(_ header: NodeHeader) -> String {
    var names: [String] = []
    if header.isInner { names.append("inner") }
    if header.hasRefs { names.append("refs") }
    if header.hasContext { names.append("context") }
    let unit = header.scheme == .bits ? "bits" : header.scheme == .bytes ? "bytes" : "blob"
    return (names.isEmpty ? "plain" : names.joined(separator: "+")) + " width=\(header.width) \(unit)"
  }

  private func preview(_ node: Node) -> String {
    let shown = min(node.count, previewLimit)
    var parts: [String] = []
    switch node.header.scheme {
    case .bits:
      for index in 0..<shown {
        let value = node.element(unchecked: index)
        parts.append(node.header.hasRefs ? element(value) : String(value))
      }
    case .bytes where node.header.width == 0: parts = [String](repeating: "-", count: shown)
    case .bytes:
      let width = node.header.width
      for index in 0..<shown { parts.append(hex(node.bytes(unchecked: index * width..<(index + 1) * width))) }
    default: return text(node.bytes(unchecked: 0..<min(node.count, previewLimit * 4))) + (node.count > previewLimit * 4 ? "..." : "")
    }
    return parts.joined(separator: " ") + (node.count > shown ? " ..." : "")
  }

  /// An element of a ref array.
  private func element(_ value: Int64) -> String {
    value == 0 ? "0" : value & 1 == 1 ? "#\(UInt64(bitPattern: value) >> 1)" : "@\(Ref(element: value))"
  }

  private func hex(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    CanonicalJSON.appendHex(bytes, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }
  private func text(_ bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    for byte in bytes { characters.append(byte >= 0x20 && byte < 0x7F ? byte : UInt8(ascii: ".")) }
    return String(decoding: characters, as: UTF8.self)
  }
}
