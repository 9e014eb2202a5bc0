@_spi(Reflection) import Swift

/// One `@Persisted` property of a class, as the runtime knows it.
struct PersistedField: Sendable {
  /// The property's name in Swift.
  let name: String
  let place: FieldPlace

  init(name: String, byteOffset: Int, type: any _AnyPersisted.Type) {
    self.name = name
    place = FieldPlace(byteOffset: byteOffset, type: type, plain: PlainField(type))
  }

  var byteOffset: Int { place.byteOffset }
  var type: any _AnyPersisted.Type { place.type }
}

/// Where the wrapper of a property is and what it is. Nothing in it is counted, so that copies are free.
struct FieldPlace: Sendable {
  /// From the address of the object to its wrapper.
  let byteOffset: Int
  /// The wrapper's type.
  let type: any _AnyPersisted.Type
  /// How adding objects gets at it.
  let plain: PlainField
}

/// Whether instances of a class have stored properties besides `@Persisted` ones.
func hasOtherStoredProperties(_ type: ObjectBase.Type) -> Bool {
  func count(_ type: ObjectBase.Type) -> Int {
    var count = 0
    _ = unsafe _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { (_, _, fieldType, _) in
      if !(fieldType is any _AnyPersisted.Type) { count += 1 }
      return true
    }
    return count
  }
  return count(type) != count(ObjectBase.self)
}

/// The `@Persisted` properties of a class: those of its superclass first, then in the order of their declarations.
///
/// Costs about a microsecond for each stored property, so the answer is to be kept.
/// - Throws: when the class was compiled without the records that this needs.
func persistedFields(of type: ObjectBase.Type) throws -> [PersistedField] {
  try checkRecords(of: type)
  var fields: [PersistedField] = []
  var failure: RealmFailure?
  // 1 is `.classType`, which the standard library declares as a variable.
  _ = unsafe _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { (name, offset, fieldType, _) in
    guard let wrapper = fieldType as? any _AnyPersisted.Type else { return true }
    let label = unsafe String(cString: name)
    guard label.utf8.count > 1 else {
      failure = .misuse(
        "The class '\(type)' was compiled without the names of its properties (-disable-reflection-names): it cannot be used in a Realm.")
      return false
    }
    guard label.hasPrefix("_") else {
      failure = .misuse("Property '\(label)' of '\(type)' holds a 'Persisted' itself: declare it with the attribute @Persisted.")
      return false
    }
    fields.append(PersistedField(name: String(label.dropFirst()), byteOffset: offset, type: wrapper))
    return true
  }
  if let failure { throw failure }
  return fields
}

/// Without reflection metadata a class would seem to have no properties.
private func checkRecords(of type: ObjectBase.Type) throws {
  #if !canImport(ObjectiveC)
    var current: AnyClass? = type
    while let checked = current, checked != ObjectBase.self {
      guard LoadedClasses.fieldsAreRecorded(of: checked) else {
        throw RealmFailure.misuse(
          "The class '\(checked)' was compiled without reflection metadata (-disable-reflection-metadata): it cannot be used in a Realm.")
      }
      current = _getSuperclass(checked)
    }
  #endif
}
