package import Changesets

/// What changesets call the types of properties.
extension ColumnDescription {
  /// The type of a value, or of an element of a collection.
  package var changesetType: ValueType { type.changesetType }

  /// Whether the property holds one value or several.
  package var changesetCollection: Changesets.CollectionKind { isList ? .list : isSet ? .set : isDictionary ? .dictionary : .single }
}
