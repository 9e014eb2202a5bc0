package import RealmStorage

/// Compares files with the exports and logs that were measured for them.
package enum Conformance {
  /// Whether the export of the file at `path`, with digests above 5000 entries, equals `expected` byte for byte.
  /// - Returns: nil if it does, else where it first differs.
  package static func exportDifference(path: String, expected: [UInt8], digestLimit: Int = 5000) throws(StorageError) -> String? {
    let file = try OpenFile(path: path)
    let sink = ComparingSink(expected: expected)
    try Exporter(file, digestLimit: digestLimit, to: sink).writeJSON()
    if sink.isEqual { return nil }
    if let place = sink.difference { return "differs at byte \(place)" }
    return "ends after \(sink.writtenByteCount) of \(expected.count) bytes"
  }
}

extension Conformance {
  /// The SHA-256 of bytes, in hexadecimal digits.
  package static func digest(_ bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finish()
  }
}
