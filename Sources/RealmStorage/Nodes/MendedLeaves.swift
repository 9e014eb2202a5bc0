/// Leaves of a damaged file whose header says what cannot be, read as the type of their column and the number of objects say that they are.
package final class MendedLeaves {
  private let space: NodeSpace
  /// Where leaves stand that are mended: nothing of the file is changed.
  private let scratch: Scratch

  package init(_ mapping: Mapping, logicalByteCount: UInt64) {
    scratch = Scratch(mapping: mapping, logicalByteCount: logicalByteCount)
    space = scratch.space
  }

  /// A reader of the leaf at `ref`, as it says that it is if all of its values can be read so, or as it can be read.
  /// - Parameters:
  ///   - count: how many values it has to have.
  ///   - mayBeNull: whether a value may be null.
  /// - Throws: `.corruptNode` if it is no such leaf, and no header makes it one all of whose values can be read.
  package func reader(_ ref: Ref, _ kind: LeafKind, enumKeys: Ref, count: Int, mayBeNull: Bool) throws(StorageError) -> LeafReader {
    func isSound(_ reader: LeafReader) -> Bool {
      reader.count == count && (0..<count).allSatisfy { MendedLeaves.isSound(try? reader.value($0), mayBeNull) }
    }
    let own = try? LeafReader(space, ref, kind, enumKeys: enumKeys)
    if let own, isSound(own) { return own }
    if enumKeys.isNull, let header = try? space.header(at: ref) {
      for header in MendedLeaves.headers(kind, header, count) {
        if let copy = try? copy(ref, header), let reader = try? LeafReader(space, copy, kind), isSound(reader) { return reader }
      }
    }
    let reader = if let own { own } else { try LeafReader(space, ref, kind, enumKeys: enumKeys) }
    guard reader.count == count else { throw .corruptNode(ref: ref, reason: "\(reader.count) values for \(count) objects") }
    return reader
  }

  /// The leaf of a column of collections, each of which may be there or not, as it says that it is or as it can be read.
  /// - Throws: `.corruptNode` if it is no list of refs.
  package func collections(_ ref: Ref, count: Int) throws(StorageError) -> Node {
    let found = DamagedNodes.node(space, ref, .bits, flags: NodeHeader.Flags.refs, count: count) { node in
      (0..<count).allSatisfy { DamagedNodes.isRef(space, node, $0, mayBeNull: true) }
    }
    return if let found { found } else { try space.refs(at: ref) }
  }

  private static func isSound(_ value: Value?, _ mayBeNull: Bool) -> Bool {
    switch value {
    case nil: false
    case .null?: mayBeNull
    case .string(let bytes)?: String(validating: bytes, as: UTF8.self) != nil
    default: true
    }
  }

  private func copy(_ ref: Ref, _ header: NodeHeader) throws(StorageError) -> Ref {
    let node = try space.node(at: ref, assuming: header)
    let copy = try scratch.allocate(header: header, byteCount: header.nodeByteCount)
    unsafe scratch.payload(copy).copyMemory(from: node.payload, byteCount: header.nodeByteCount - NodeHeader.byteCount)
    return copy
  }

  /// Headers with which a leaf of so many values can begin. A width that only the node itself knows is taken for right if what stands beside it in its
  /// byte is, or the count; of one whose other nodes say whether it is, all are tried.
  private static func headers(_ kind: LeafKind, _ own: NodeHeader, _ count: Int) -> [NodeHeader] {
    func trusted(_ scheme: WidthScheme, _ count: Int, flags: UInt32 = 0) -> [NodeHeader] {
      let header = NodeHeader(flags: flags, scheme: scheme, widthIndex: own.widthIndex, count: count)
      return own.count == count || own == header.with(count: own.count) ? [header] : []
    }
    func bytes(_ widthIndexes: [UInt32], _ count: Int) -> [NodeHeader] {
      widthIndexes.map { NodeHeader(flags: 0, scheme: .bytes, widthIndex: $0, count: count) }
    }
    func refs(_ counts: [Int], _ flags: UInt32 = 0) -> [NodeHeader] {
      counts.flatMap { count in
        ([own.widthIndex] + [7, 6, 5, 4]).map { NodeHeader(flags: NodeHeader.Flags.refs | flags, scheme: .bits, widthIndex: $0, count: count) }
      }
    }
    let blobs = refs([3, 2]) + refs([count], NodeHeader.Flags.context)
    return switch kind {
    case .int, .bool, .link, .linkElement: trusted(.bits, count)
    case .nullableInt: trusted(.bits, count + 1)
    case .typedLink: trusted(.bits, 2 * count)
    case .float: bytes([3], count)
    case .double: bytes([4], count)
    case .decimal: trusted(.bytes, count) + trusted(.bytes, count, flags: NodeHeader.Flags.context)
    case .objectID: [NodeHeader(flags: 0, scheme: .bytes, widthIndex: 1, count: FixedBytesLeaf.byteCount(count, .objectID))]
    case .uuid: [NodeHeader(flags: 0, scheme: .bytes, widthIndex: 1, count: FixedBytesLeaf.byteCount(count, .uuid))]
    case .timestamp: refs([2])
    case .mixed: refs([own.count, 6, 5, 4])
    case .string: blobs + bytes([own.widthIndex] + [5, 4, 3, 2, 1], count)
    case .binary: blobs
    case .backlink, .collection: []
    }
  }
}
