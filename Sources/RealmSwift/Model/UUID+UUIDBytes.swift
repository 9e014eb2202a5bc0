import Foundation
import RealmStorage

extension UUID {
  init(_ bytes: UUIDBytes) {
    func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (index < 8 ? bytes.high : bytes.low) >> UInt64(56 - 8 * (index & 7)))
    }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10), byte(11), byte(12), byte(13),
        byte(14), byte(15)
      ))
  }
}
