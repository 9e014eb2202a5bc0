// What debuggers and failing tests show of versions.

extension ReadTransaction: CustomDebugStringConvertible {
  package var debugDescription: String { "version \(version), \(byteCount) bytes, top at \(topRef)" }
}

extension Snapshot: CustomDebugStringConvertible {
  package var debugDescription: String { "snapshot of \(transaction)" }
}

extension WriteTransaction: CustomDebugStringConvertible {
  package var debugDescription: String {
    let written = "\(scratch.usedByteCount) bytes of new nodes, \(scratch.freed.count) nodes freed"
    return isOpen ? "writing on \(base): top at \(topRef), \(written)" : "ended transaction on version \(base.version)"
  }
}
