extension ImportValue {
  /// A whole text as JSON.
  package init?(json bytes: [UInt8]) {
    var reader = JSONReader(bytes, bytes.indices)
    do throws(ImportProblem) { self = try reader.value() } catch { return nil }
    guard reader.isAtEnd() else { return nil }
  }
}
