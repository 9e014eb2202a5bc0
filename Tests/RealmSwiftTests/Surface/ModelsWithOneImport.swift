// A file as apps have them that came from CocoaPods: there the framework brings Foundation along. That this compiles is the test.
import RealmSwift

class SOneImport: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var date = Date()
  @Persisted var data: Data?
  var url: URL? { URL(string: "file:///\(id.uuidString)") }

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  static func newest(in realm: Realm, since date: Date) -> Results<SOneImport> {
    realm.objects(SOneImport.self).filter(NSPredicate(format: "date > %@", date as NSDate)).sorted(byKeyPath: "date")
  }
}
