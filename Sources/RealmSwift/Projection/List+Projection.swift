import Foundation

extension List where Element: ObjectBase & RealmCollectionValue {
  /// For key paths of `@Projected`: a property of all elements.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}
