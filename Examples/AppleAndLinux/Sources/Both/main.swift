import Foundation
import RealmSwift
import Regnum

class Memo: Regnum.Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
}

// Two modules that are called RealmSwift, in one program: the one of this package goes by its alias.
let realm = try Regnum.Realm(configuration: Regnum.Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
try realm.write { realm.add(Memo(value: [1, "stored"])) }
print("Regnum: \(realm.object(ofType: Memo.self, forPrimaryKey: 1)?.text ?? "nothing")")
print("RealmSwift: \(RealmSwift.Realm().name)")
