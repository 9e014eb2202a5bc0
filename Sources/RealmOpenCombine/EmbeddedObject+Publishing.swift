public import OpenCombine
public import RealmSwift

extension EmbeddedObject: ObservableObject {
  /// Says whenever properties of this object have been set, and when it was deleted, that it is so. Stops for an unmanaged object.
  public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
}
