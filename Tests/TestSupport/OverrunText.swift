import Foundation
import Testing

/// Overwrites a text of a file, and the byte behind it that says where it ends: all can be read, and something else is there.
package func overrun(_ text: String, in path: String) throws {
  let place = URL(fileURLWithPath: path)
  var bytes = [UInt8](try Data(contentsOf: place))
  let start = try #require(bytes.indices.first { bytes[$0...].starts(with: text.utf8) })
  for index in start...start + text.utf8.count { bytes[index] = UInt8(ascii: "z") }
  try Data(bytes).write(to: place)
}
