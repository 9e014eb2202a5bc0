import RealmStorage

extension Property {
  /// Whether both have the same type but for null.
  func hasShape(of other: Property) -> Bool {
    type == other.type && isArray == other.isArray && isSet == other.isSet && isMap == other.isMap
      && objectClassName == other.objectClassName
  }

  /// As the column says it (F10.2): `AnyRealmValue` and single links can always be null, lists and sets of objects never.
  var isNullableColumn: Bool {
    switch type {
    case .any: true
    case .object: !isArray && !isSet
    default: isOptional
    }
  }
}
