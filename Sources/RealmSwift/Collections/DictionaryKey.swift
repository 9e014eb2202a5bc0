import RealmStorage

enum DictionaryKey {
  static func check(_ key: String) throws {
    if key.utf8.contains(UInt8(ascii: ".")) { throw RealmFailure.misuse("Dictionary::insert: key must not contain '.'") }
    if key.utf8.first == UInt8(ascii: "$") { throw RealmFailure.misuse("Dictionary::insert: key must not start with '$'") }
  }
}
