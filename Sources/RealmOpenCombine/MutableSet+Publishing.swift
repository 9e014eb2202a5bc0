public import OpenCombine
public import RealmSwift

extension MutableSet: ObservableObject, RealmSubscribable {
  /// Says at first and whenever elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(self) }
}
