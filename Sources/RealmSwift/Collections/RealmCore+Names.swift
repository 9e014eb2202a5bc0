import RealmQuery
import RealmStorage

extension RealmCore {
  /// What the names of properties in Swift mean in the file.
  func names() -> NameTable {
    if let cachedNames { return cachedNames }
    var names = NameTable()
    for objectSchema in schema.objectSchema {
      for property in objectSchema.properties where property.name != property.columnName {
        names.add(property: property.name, in: objectSchema.className, target: property.columnName)
      }
      for property in objectSchema.computedProperties {
        guard let origin = property.objectClassName, let name = property.linkOriginPropertyName else { continue }
        let column = schema[origin]?[name]?.columnName ?? name
        names.add(property: property.name, in: objectSchema.className, target: "@links.\(origin).\(column)")
      }
    }
    if !isFrozen { cachedNames = names }
    return names
  }
}
