import RealmStorage

extension ObjectLink {
  /// Equal to no link of any object, and not null.
  static let nowhere = ObjectLink(table: .null, key: ObjectKey(.max))
}
