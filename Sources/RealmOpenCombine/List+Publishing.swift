public import OpenCombine
public import RealmSwift

extension List: ObservableObject, RealmSubscribable {
  /// Says at first and whenever elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(self) }
}
