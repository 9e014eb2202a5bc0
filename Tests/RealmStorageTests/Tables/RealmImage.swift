import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// A group laid out as a file in streaming form (F8.6): header, names, tables children first, a top array of three, footer.
struct RealmImage {
  private(set) var bytes: [UInt8] = []
  private(set) var top = Ref.null

  init(_ group: Group) throws {
    let space = group.space
    bytes = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8) + Array("T-DB".utf8) + [24, 0, 0, 0]
    let (names, tables): (Ref, Ref)
    let groupTop = try group.finishedTop()
    if groupTop.isNull {
      names = try append(header: 0x0800_0000, [])
      tables = try append(header: 0x4000_0000, [])
    } else {
      let node = try space.refs(at: groupTop)
      names = try copy(node.child(0), space)
      tables = try copy(node.child(1), space)
    }
    let end = UInt64(bytes.count + 32)
    top = try append(header: 0x4700_0003, words([names.byteOffset, tables.byteOffset, end << 1 | 1]))
    bytes += words([top.byteOffset, 0x3034_1252_37E5_26C8])
  }

  private mutating func copy(_ ref: Ref, _ space: NodeSpace) throws -> Ref {
    let node = try space.node(at: ref)
    guard node.header.hasRefs else {
      return try append(header: node.header.bits, node.bytes(unchecked: 0..<node.header.payloadByteCount))
    }
    var elements: [UInt64] = []
    for index in 0..<node.count {
      let element = node.element(unchecked: index)
      let isChild = element != 0 && element & 1 == 0
      elements.append(isChild ? try copy(Ref(element: element), space).byteOffset : UInt64(bitPattern: element))
    }
    return try append(header: node.header.with(widthIndex: 7).bits, words(elements))
  }

  private mutating func append(header: UInt32, _ payload: [UInt8]) throws -> Ref {
    let ref = Ref(UInt64(bytes.count))
    bytes += [0x41, 0x41, 0x41, 0x41]
    for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: header >> shift)) }
    bytes += payload
    while bytes.count & 7 != 0 { bytes.append(0) }
    return ref
  }

  private func words(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }
}

/// Judges a file: our own verification, the independent checker, and whether both read the same contents.
func expectSound(_ path: String, independently: Bool = true, _ context: String) throws {
  let violations = try FileContents.violations(path)
  if !violations.isEmpty, let place = pathForDamagedFile {
    try? FileManager.default.copyItem(atPath: path, toPath: place)
  }
  if !violations.isEmpty { Issue.record("\(context): \(violations.prefix(10).joined(separator: "\n"))") }
  guard independently else { return }
  if let complaints = try IndependentTools.violation(path) { Issue.record("\(context): \(complaints.prefix(3000))") }
  guard let theirs = try IndependentTools.json(path) else { return }
  let ours = String(decoding: try FileContents.json(path), as: UTF8.self)
  if ours != theirs {
    let lines = zip(ours.split(separator: "\n"), theirs.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "\nours:   \($0.0.prefix(1500))\ntheirs: \($0.1.prefix(1500))" } ?? "another length"
    Issue.record("\(context): the contents differ: \(difference)")
  }
}
