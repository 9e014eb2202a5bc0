import ArgumentParser
import RealmInspection
import RealmQuery
import RealmStorage

struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Add an object to a class.",
    discussion: """
      The object is JSON as 'realm export' writes it: embedded objects in place, links as the keys of their targets, which may be inserted with it.
      Example: realm insert Dogs.realm --class Dog '{"name": "Rex", "age": 5, "owner": "Ada"}'
      """)

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "The object as JSON, or an array of such.") var object: String
  @OptionGroup var choice: ClassChoice
  @Flag(help: "Change the object if its primary key exists.") var update = false

  func run() throws {
    try editing.edit(file) { group in
      let value = try EditingOptions.json(object)
      let className = try choice.name(in: group)
      let table = try Selection.changeable(className, in: group)
      var objects = [value]
      if case .array(let elements) = value { objects = elements }
      var options = Importer.Options(className: className)
      options.updates = update
      let notes = ConversionNotes()
      var tally = ImportTally(updates: update)
      let rows = try objects.map { object in
        guard case .object(let members) = object else { throw ImportProblem(reason: "the value is no object") }
        return members
      }
      var announced = try Importer.announce(rows, in: table)
      for members in rows {
        switch try Importer.store(members, in: table, options, announced: &announced, notes: notes) {
        case .created(let object): tally.add(object, of: table, isNew: true)
        case .changed(let object): tally.add(object, of: table, isNew: false)
        // Reasons are about rows, or say themselves what they are about.
        case .refused(let reason): throw ImportProblem(reason: reason.hasPrefix("has ") ? "the object \(reason)" : reason)
        }
      }
      editing.say(notes)
      if let note = tally.note { editing.say(note) }
      return "inserted \(EditingOptions.count(tally.createdCount, table))" + (tally.changedCount > 0 ? ", changed \(tally.changedCount)" : "")
    }
  }
}

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change properties of the objects that a query selects.",
    discussion: """
      Values are JSON as 'realm export' writes it; what is no JSON is a text. A link is the key of its target, or null.
      Example: realm set Dogs.realm --class Dog 'name == "Rex"' age=6 'owner="Ada"'
      """)

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "Which objects; TRUEPREDICATE selects all.") var query: String
  @Argument(help: "Properties with their values, as age=5.") var assignments: [String]
  @OptionGroup var choice: ClassChoice

  func run() throws {
    try editing.edit(file) { group in
      let className = try choice.name(in: group, query: query)
      let table = try Selection.changeable(className, in: group, setsProperties: true)
      let keys = try Selection.keys(query, className, in: group, path: file)
      var members: [(name: String, value: ImportValue)] = []
      for assignment in assignments { members.append(try EditingOptions.member(assignment, of: table)) }
      if let key = table.primaryKeyColumn, members.contains(where: { ExactName($0.name) == ExactName(SchemaNames.text(key.name)) }) {
        throw ImportProblem(
          reason: "'\(SchemaNames.text(key.name))' is the primary key, which never changes; insert another object and delete this one")
      }
      for (index, member) in members.enumerated() where members[..<index].contains(where: { ExactName($0.name) == ExactName(member.name) }) {
        throw ImportProblem(reason: "'\(member.name)' is set twice; give it one value")
      }
      if Group.holdsSchemaVersion(table), case .integer(..<0)? = members.first(where: { $0.name == "version" })?.value {
        throw ImportProblem(reason: "a version of a schema is not negative; write a number from 0 on")
      }
      let notes = ConversionNotes()
      let fields = try Preparation(group, notes: notes).fields(members, of: table)
      // Whatever is said of one object is so of the others.
      for (index, key) in keys.enumerated() { try table.store(key, fields, notes: index == 0 ? notes : nil) }
      if !keys.isEmpty {
        editing.say(notes)
        for (name, value) in members { if let note = try note(ofReplacing: name, by: value, in: table) { editing.say(note) } }
      }
      return "changed \(EditingOptions.count(keys.count, table))" + (keys.isEmpty ? "" : ": \(try EditingOptions.names(keys, table))")
    }
  }
}

extension SetCommand {
  /// An embedded object is another one afterwards, and what is not given of it is not what it was.
  private func note(ofReplacing name: String, by value: ImportValue, in table: Table) throws -> String? {
    guard case .object(let members) = value, let column = table.publicColumns.first(where: { $0.name.elementsEqual(name.utf8) }),
      column.type == .link, !column.isCollection, case let target = try table.group.table(column.oppositeTable), target.kind == .embedded
    else { return nil }
    let given = Set(members.map { ExactName($0.name) })
    let others = target.publicColumns.map { SchemaNames.text($0.name) }.filter { !given.contains(ExactName(MemberName.of($0))) }
    if others.isEmpty { return nil }
    return "\(name): is another object now; \(others.joined(separator: ", ")), which \(others.count == 1 ? "is" : "are") not given, "
      + "\(others.count == 1 ? "has" : "have") null, zero or nothing"
  }
}

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the objects that a query selects.",
    discussion: "Links to them become null. Example: realm delete Dogs.realm --class Dog 'age > 20' --dry-run")

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "Which objects; TRUEPREDICATE selects all.") var query: String
  @OptionGroup var choice: ClassChoice

  func run() throws {
    try editing.edit(file) { group in
      let className = try choice.name(in: group, query: query)
      let table = try Selection.changeable(className, in: group)
      let keys = try Selection.keys(query, className, in: group, path: file)
      let names = try EditingOptions.names(keys, table)
      try table.remove(keys)
      return "deleted \(EditingOptions.count(keys.count, table))" + (keys.isEmpty ? "" : ": \(names)")
    }
  }
}

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Let objects that a query selects link to another object.",
    discussion: """
      A link is replaced; a list gets the target at its end, a set if it has not got it.
      Example: realm link Dogs.realm --class Person 'name == "Ada"' dogs '"Rex"'
      """)

  @OptionGroup var editing: EditingOptions
  @Argument(help: "The file to change.", completion: .realmFile) var file: String
  @Argument(help: "Which objects; TRUEPREDICATE selects all.") var query: String
  @Argument(help: "The property that links: a link, or a list or set of links.") var property: String
  @Argument(help: "The target's primary key, or without one its object key.") var target: String
  @OptionGroup var choice: ClassChoice
  @Flag(help: "Take the link away instead.") var remove = false

  func run() throws {
    try editing.edit(file) { group in
      let className = try choice.name(in: group, query: query)
      let table = try Selection.changeable(className, in: group)
      let keys = try Selection.keys(query, className, in: group, path: file)
      let column = try UnknownProperty.column(property, table)
      guard column.type == .link, !column.isDictionary, try group.table(column.oppositeTable).kind != .embedded else {
        throw ImportProblem(reason: "'\(property)' is no link, list of links or set of links; 'realm set' changes other properties")
      }
      let notes = ConversionNotes()
      notes.enter(property)
      let targets = try group.table(column.oppositeTable)
      let written = EditingOptions.value(target, targets.primaryKeyColumn?.type ?? .int)
      let linked: ObjectKey
      do throws(ImportProblem) { linked = try Preparation(group, notes: notes).object(written, in: targets) } catch {
        let hint = target == "null" ? "; --remove takes a link away" : ""
        throw ImportProblem(reason: "'\(property)' \(error.reason)\(hint)")
      }
      let value = Value.link(linked)
      var changed: [ObjectKey] = []
      for key in keys { if try change(table, key, column, value) { changed.append(key) } }
      if !changed.isEmpty { editing.say(notes) }
      let rest = keys.count - changed.count
      let others = rest == 0 ? "" : "; \(rest) \(rest == 1 ? "has" : "have") \(remove ? "no such link" : "it already")"
      return (remove ? "took the link from " : "linked ") + EditingOptions.count(changed.count, table)
        + (changed.isEmpty ? "" : ": \(try EditingOptions.names(changed, table))") + others
    }
  }

  /// - Returns: whether the object is another one now.
  private func change(_ table: Table, _ key: ObjectKey, _ column: ColumnDescription, _ value: Value) throws(StorageError) -> Bool {
    guard column.isCollection else {
      guard try table.value(key, column.key).isIdentical(to: value) == remove else { return false }
      try table.set(key, column.key, remove ? .null : value)
      return true
    }
    let collection = try table.collection(key, column.key)
    let elements = try collection.all()
    let places = elements.indices.filter { elements[$0].isIdentical(to: value) }
    switch (column.isSet, remove) {
    case (true, true): if !places.isEmpty { _ = try collection.remove(value) }
    case (true, false): if places.isEmpty { _ = try collection.insert(value) }
    case (false, false): try collection.append(value)
    case (false, true): for index in places.reversed() { try collection.remove(at: index) }
    }
    return places.isEmpty != remove || !column.isSet && !remove
  }
}
