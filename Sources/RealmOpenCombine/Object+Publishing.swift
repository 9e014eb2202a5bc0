public import OpenCombine
public import RealmSwift

extension Object: ObservableObject {
  /// Says whenever properties of this object have been set, and when it was deleted, that it is so. Stops for an unmanaged object.
  public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
}
