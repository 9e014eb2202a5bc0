import Foundation
import RealmStorage

extension UUIDBytes {
  init(_ uuid: UUID) {
    let u = uuid.uuid
    func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7), low: word(u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15))
  }
}
