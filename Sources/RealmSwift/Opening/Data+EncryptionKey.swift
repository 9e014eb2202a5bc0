import Foundation
import RealmStorage

extension Data {
  func engineKey() throws(StorageError) -> EncryptionKey { try EncryptionKey(Array(self)) }
}
