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

  /// A stream of these bytes, made fast rather than small: it begins with `78 01`.
  package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(count))
    // SAFETY: zlib reads and writes within the two arrays, whose sizes it is told.
    let status = unsafe result.withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe compress2(target.baseAddress, &count, source.baseAddress, uLong(source.count), Z_BEST_SPEED)
      }
    }
    precondition(status == Z_OK, "zlib was given the space that it had asked for")
    result.removeLast(result.count - Int(count))
    return result
  }
}
