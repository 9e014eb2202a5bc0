import RealmStorage

extension Table {
  /// The class's name, without the prefix of its table.
  var className: String { nameText.hasPrefix("class_") ? String(nameText.dropFirst(6)) : nameText }
}
