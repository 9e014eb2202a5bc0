import Foundation
import RealmSwift

class Tag: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "tags") var notes: LinkingObjects<Note>
}

class Note: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var text: String
  @Persisted var written: Date
  @Persisted var tags: List<Tag>
}

// Notes FILE: adds a note and prints what is in the file.
guard CommandLine.arguments.count == 2 else { fatalError("usage: Notes FILE") }
let file = URL(fileURLWithPath: CommandLine.arguments[1])
let realm = try Realm(configuration: Realm.Configuration(fileURL: file, schemaVersion: 1, objectTypes: [Note.self, Tag.self]))
try realm.write {
  let number = realm.objects(Note.self).count + 1
  let note = Note(value: ["text": "note \(number)", "written": Date()])
  note.tags.append(realm.create(Tag.self, value: ["name": number.isMultiple(of: 2) ? "even" : "odd"], update: .modified))
  realm.add(note)
}
for tag in realm.objects(Tag.self).sorted(byKeyPath: "name") {
  print("\(tag.name): " + tag.notes.sorted(byKeyPath: "text").map(\.text).joined(separator: ", "))
}
