import Randomness
import RealmStorage

/// Files that the engine makes itself, so that fuzzing needs no other ones.
enum SampleFiles {
  /// Makes the files in a directory and returns their paths.
  static func make(in directory: String) throws(StorageError) -> [String] {
    var paths: [String] = []
    for (name, body) in [("kinds", kinds), ("people", people), ("edited", edited)] as [(String, (Database) throws(StorageError) -> Void)] {
      let path = directory + "/own-\(name).realm"
      let database = try Database.open(path: path, options: .quick)
      try body(database)
      let copy = directory + "/own-\(name)-streaming.realm"
      try database.snapshot().write(toFile: copy)
      database.close()
      paths += [path, copy]
    }
    return paths
  }

  /// Every property type in every kind of collection.
  private static func kinds(_ database: Database) throws(StorageError) {
    var random = SeededGenerator(seed: 1)
    try database.write { (group) throws(StorageError) in
      let target = try group.addTable("class_Target")
      try target.addColumn(ColumnDefinition("name", .string))
      let embedded = try group.addTable("class_Part", kind: .embedded)
      try embedded.addColumn(ColumnDefinition("size", .double))
      let table = try group.addTable("class_Kinds")
      let types: [ColumnType] = [.int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectID, .uuid, .link]
      for type in types {
        for (suffix, attributes) in [
          ("", []), ("_null", .nullable), ("_list", .list), ("_set", .set), ("_map", .dictionary),
        ] as [(String, ColumnAttributes)] {
          if type == .mixed && suffix == "_null" { continue }
          if type == .link && suffix == "_null" { continue }
          try table.addColumn(ColumnDefinition("\(type)\(suffix)", type, attributes, target: type == .link ? target.key : nil))
        }
      }
      try table.addColumn(ColumnDefinition("part", .link, target: embedded.key))
      try table.addColumn(ColumnDefinition("parts", .link, .list, target: embedded.key))
      for _ in 0..<3 { _ = try target.createObject() }
      for _ in 0..<2 { _ = try table.createObject() }
    }
    for _ in 0..<6 {
      try database.write { (group) throws(StorageError) in
        var edits = RandomEdits(group, changesSchema: false)
        try edits.run(60, &random)
      }
    }
  }

  /// Several clusters, indexes, a primary key, backlinks.
  private static func people(_ database: Database) throws(StorageError) {
    try database.write { (group) throws(StorageError) in
      let place = try group.addTable("class_Place")
      let placeName = try place.addColumn(ColumnDefinition("name", .string))
      try place.setPrimaryKey(placeName)
      let person = try group.addTable("class_Person")
      let id = try person.addColumn(ColumnDefinition("id", .int))
      try person.setPrimaryKey(id)
      let name = try person.addColumn(ColumnDefinition("name", .string, .nullable))
      let text = try person.addColumn(ColumnDefinition("text", .string))
      let home = try person.addColumn(ColumnDefinition("home", .link, target: place.key))
      try person.addIndex(name)
      try person.addFullTextIndex(text)
      var places: [ObjectKey] = []
      for number in 0..<4 { places.append(try place.createObject(primaryKey: Value("place \(number)"))) }
      for number in 0..<400 {
        let key = try person.createObject(primaryKey: .int(Int64(number) * 7919 % 1009))
        try person.set(key, name, number % 9 == 0 ? .null : Value("person \(number % 60)"))
        try person.set(key, text, Value("the words \(number) of person \(number % 5)"))
        if number % 3 > 0 { try person.set(key, home, .link(places[number % 4])) }
      }
    }
  }

  /// Free space, history, tombstones.
  private static func edited(_ database: Database) throws(StorageError) {
    try people(database)
    var random = SeededGenerator(seed: 2)
    let reader = try database.snapshot()
    for _ in 0..<8 {
      try database.write { (group) throws(StorageError) in
        var edits = RandomEdits(group, changesSchema: true)
        try edits.run(30, &random)
      }
    }
    withExtendedLifetime(reader) {}
  }
}
