internal import CZlib

/// zlib streams (RFC 1950), by the system's zlib.
package enum Compression {
  /// What a stream decompresses to.
  /// - Parameter byteCount: of the result, which the caller has found acceptable: that much memory is taken before anything is read.
  /// - Returns: nil if the bytes are no stream of that size.
  package static func inflated(_ stream: [UInt8], byteCount: Int) -> [UInt8]? {
    // zlib takes no null pointer for an empty result.
    var result = [UInt8](repeating: 0, count: max(byteCount, 1))
    var (produced, consumed) = (uLong(byteCount), uLong(stream.count))
    // SAFETY: zlib reads and writes within the two arrays, whose sizes it is told.
    let status = unsafe result.withUnsafeMutableBufferPointer { target in
      unsafe stream.withUnsafeBufferPointer { source in
        unsafe uncompress2(target.baseAddress, &produced, source.baseAddress, &consumed)
      }
    }
    guard status == Z_OK, produced == uLong(byteCount), consumed == uLong(stream.count) else { return nil }
    result.removeLast(result.count - byteCount)
    return result
  }
}
