public import RealmSwift

extension Results: RealmSubscribable {
  /// Says at first and whenever elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<Results> { RealmPublishers.WillChange(self) }
}
