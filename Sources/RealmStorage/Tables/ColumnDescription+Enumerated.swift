extension ColumnDescription {
  func with(enumKeysRef: Ref) -> ColumnDescription {
    ColumnDescription(
      key: key, name: name, type: type, attributes: attributes, isPublic: isPublic, indexRef: indexRef, oppositeTable: oppositeTable,
      oppositeColumn: oppositeColumn, enumKeysRef: enumKeysRef, keyTypeNumber: keyTypeNumber, specTypeNumber: specTypeNumber,
      specAttributes: specAttributes)
  }
}
