import RealmStorage

extension ColumnDescription {
  /// The name.
  var text: String { String(decoding: name, as: UTF8.self) }
}
