public import RealmSwift

extension LinkingObjects: RealmSubscribable {
  /// Says at first and whenever elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<LinkingObjects> { RealmPublishers.WillChange(self) }
}
