extension Value {
  /// A link to a tombstone reads as null and is indexed so (F9.1).
  var asIndexed: Value {
    if case .typedLink(let link) = self, link.key.isUnresolved { .null } else { self }
  }

  var textBytes: [UInt8]? {
    if case .string(let bytes) = self { bytes } else { nil }
  }
}
