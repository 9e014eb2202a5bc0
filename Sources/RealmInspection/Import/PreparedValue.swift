package import RealmQuery
package import RealmStorage

/// What an imported value becomes in a property: checked, links resolved, ready to be stored.
package indirect enum PreparedValue {
  case value(Value)
  /// Of a list or a set, or a list in a Mixed value.
  case elements([PreparedValue])
  case entries([(key: [UInt8], value: PreparedValue)])
  /// An embedded object.
  case object([PreparedField])
}

extension PreparedValue {
  fileprivate var isCollection: Bool {
    switch self {
    case .elements, .entries: true
    case .value, .object: false
    }
  }

  /// What the format has no place for is a mistake of the row, not of the whole input. Embedded objects are checked where they are prepared.
  func check(isMixed: Bool) throws(ImportProblem) {
    switch self {
    case .value(let value): if let problem = Self.excess(of: value, isMixed: isMixed) { throw problem }
    case .elements(let elements): for element in elements { try element.check(isMixed: isMixed) }
    case .entries(let entries):
      for (key, value) in entries {
        if let problem = Self.excess(of: .string(key), isMixed: isMixed) { throw problem }
        guard ObjectCollection.isDictionaryKey(key) else {
          let text = String(decoding: key, as: UTF8.self)
          let shown = text.count > 40 ? text.prefix(39) + "…" : text
          throw ImportProblem(reason: "has the key '\(shown)', and keys must not start with '$' nor contain '.'")
        }
        try value.check(isMixed: isMixed)
      }
    case .object: break
    }
  }

  /// Nil for what can be stored.
  static func excess(of value: Value, isMixed: Bool = false) -> ImportProblem? {
    let (count, limit): (Int, Int)
    switch value {
    case .string(let bytes): (count, limit) = (bytes.count, StringLeaf.byteLimit)
    case .binary(let bytes): (count, limit) = (bytes.count, isMixed ? StringLeaf.byteLimit : BinaryLeaf.byteLimit)
    default: return nil
    }
    return count > limit ? ImportProblem(reason: "has \(count) bytes, and at most \(limit) can be stored") : nil
  }
}

package struct PreparedField {
  package let column: ColumnDescription
  package let value: PreparedValue
}

/// Turns imported values into what a table stores.
package struct Preparation {
  let group: Group
  let slashes: DateForm.SlashOrder?
  /// Properties whose type the user chose: integers are rounded where it cannot hold them.
  private let rounded: Set<ExactName>
  /// Is told of values that become others.
  private let notes: ConversionNotes?

  package init(_ group: Group, slashes: DateForm.SlashOrder? = nil, rounded: Set<ExactName> = [], notes: ConversionNotes? = nil) {
    (self.group, self.slashes, self.rounded, self.notes) = (group, slashes, rounded, notes)
  }

  /// The fields of an object; names that are no property are refused.
  /// - Throws: `ImportProblem` with the name of the property that is wrong.
  package func fields(_ members: [(name: String, value: ImportValue)], of table: Table) throws(ImportProblem) -> [PreparedField] {
    var fields: [PreparedField] = []
    var columns = ColumnFinder(table)
    for (member, value) in members {
      let name = MemberName.meaning(member) ?? member
      notes?.enter(name)
      defer { notes?.leave() }
      guard let column = columns.column(name) else {
        if MemberName.meaning(member) == nil {
          let why = name == "$key" ? "objects get keys of their own" : "names with one $ are no properties; $\(name) is one"
          notes?.add("left out", value.shownText, "is left out: \(why)")
          continue
        }
        let names = table.publicColumns.map { SchemaNames.text($0.name) }
        let meant = NearestName.of(name, names).map { "; did you mean '\($0)'?" } ?? ""
        throw ImportProblem(reason: "'\(name)' is no property of '\(SchemaText.className(table.state.name))'\(meant)")
      }
      // A name that begins with `$` may be written with one more.
      if name.hasPrefix("$"), fields.contains(where: { $0.column.key == column.key }) { throw ImportProblem(reason: "'\(name)' has two values") }
      do throws(ImportProblem) { fields.append(PreparedField(column: column, value: try prepare(value, column))) } catch {
        throw ImportProblem(reason: "'\(name)' \(error.reason)")
      }
    }
    return fields
  }

  /// The value of one property.
  package func prepare(_ value: ImportValue, _ column: ColumnDescription) throws(ImportProblem) -> PreparedValue {
    let prepared = try converted(value, column)
    try prepared.check(isMixed: column.type == .mixed)
    return prepared
  }

  private func converted(_ value: ImportValue, _ column: ColumnDescription) throws(ImportProblem) -> PreparedValue {
    if column.isDictionary { return try dictionary(value, column) }
    guard column.isList || column.isSet else { return try element(value, column, isSingle: true) }
    switch value {
    // As CSV has sets.
    case .object where value["$set"] != nil: return try converted(value["$set"] ?? .null, column)
    // Collections are never null; a null row of one is an empty one.
    case .null:
      notes?.add("null", "null", "becomes an empty \(column.isSet ? "set" : "list")")
      return .elements([])
    case .array(let parts):
      var elements: [PreparedValue] = []
      for part in parts {
        let element = try element(part, column, isSingle: false)
        if column.isSet, element.isCollection { throw ImportProblem(reason: "holds a list or dictionary, which no set does") }
        elements.append(element)
      }
      return .elements(elements)
    case .text(let bytes):
      // CSV holds collections as JSON.
      guard let parsed = ImportValue(json: bytes), parsed.isArrayOrSet else { throw Preparation.lacksArray }
      return try converted(parsed, column)
    default: throw Preparation.lacksArray
    }
  }

  private func dictionary(_ value: ImportValue, _ column: ColumnDescription) throws(ImportProblem) -> PreparedValue {
    switch value {
    case .null:
      notes?.add("null", "null", "becomes an empty dictionary")
      return .entries([])
    case .object(let members):
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      if members.count == 1, case .array(let pairs)? = value["$dictionary"] {
        for pair in pairs {
          guard case .array(let parts) = pair, parts.count == 2, case .text(let key) = parts[0] else {
            throw ImportProblem(reason: "has an entry that is no pair of a key and a value")
          }
          entries.append((key, try element(parts[1], column, isSingle: false)))
        }
        try Preparation.checkKeys(entries)
        return .entries(entries)
      }
      for (name, value) in members { entries.append((Array(name.utf8), try element(value, column, isSingle: false))) }
      return .entries(entries)
    case .text(let bytes):
      guard let parsed = ImportValue(json: bytes), case .object = parsed else { throw Preparation.lacksEntries }
      return try dictionary(parsed, column)
    default: throw Preparation.lacksEntries
    }
  }

  private static func checkKeys(_ entries: [(key: [UInt8], value: PreparedValue)]) throws(ImportProblem) {
    guard Set(entries.map(\.key)).count < entries.count else { return }
    throw ImportProblem(reason: "has an entry for the same key twice")
  }

  private func element(_ value: ImportValue, _ column: ColumnDescription, isSingle: Bool) throws(ImportProblem) -> PreparedValue {
    if case .null = value {
      guard column.isNullable || column.type == .mixed || column.type == .link && (isSingle || column.isDictionary) else {
        throw ImportProblem(reason: isSingle ? "must not be null" : "must not hold null")
      }
      return .value(.null)
    }
    switch column.type {
    case .link: return try link(value, column)
    case .mixed: return try mixed(value, nesting: 0)
    case .string:
      if let bytes = Preparation.invalidUTF8(value) { return .value(.string(bytes)) }
    default: break
    }
    // As canonical JSON writes what JSON has no word for, in the collections of CSV.
    if case .object(let members) = value, members.count == 1, TypeWords.canonicalType(members[0].name) == column.type,
      let converted = ImportConversion.value(members[0].value, column.type)
    {
      // Texts are how this form writes everything.
      if case .number = members[0].value { notes?.add(members[0].value, converted, column.type) }
      return .value(converted)
    }
    let rounds = !rounded.isEmpty && rounded.contains(ExactName(SchemaNames.text(column.name)))
    guard let converted = ImportConversion.value(value, column.type, slashes, rounds: rounds) else {
      throw ImportProblem(
        reason: "is no value of type \(TypeWords.word(column.type))\(Preparation.shown(value))\(ImportConversion.hint(value, column.type))")
    }
    notes?.add(value, converted, column.type)
    return .value(converted)
  }

  private static func shown(_ value: ImportValue) -> String {
    switch value {
    case .text(let bytes), .number(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return ": '\(text.count > 40 ? text.prefix(39) + "…" : text)'"
    case .integer(let number): return ": \(number)"
    case .bool(let flag): return ": \(flag)"
    case .null: return ": null"
    default: return ""
    }
  }

  // MARK: Links

  private func link(_ value: ImportValue, _ column: ColumnDescription) throws(ImportProblem) -> PreparedValue {
    let target: Table
    do throws(StorageError) { target = try group.table(column.oppositeTable) } catch { throw ImportProblem(reason: error.damage) }
    guard target.kind == .embedded else { return .value(.link(try object(value, in: target))) }
    if value["$link"] != nil { throw ImportProblem(reason: Preparation.lacksEmbedded) }
    switch value {
    case .object(let members): return .object(try fields(members, of: target))
    case .text(let bytes):
      guard case .object(let members)? = ImportValue(json: bytes) else { throw Preparation.lacksObject }
      if members.count == 1, members[0].name == "$link" { throw ImportProblem(reason: Preparation.lacksEmbedded) }
      return .object(try fields(members, of: target))
    default: throw Preparation.lacksObject
    }
  }

  private static let lacksArray = ImportProblem(reason: #"is no array; write one as [1, 2] or ["a"]"#)
  private static let lacksEntries = ImportProblem(reason: #"is no object with the entries; write it as {"key": 1}"#)
  private static let lacksObject = ImportProblem(reason: #"is no object; write its properties as {"name": "Rex"}"#)
  private static let lacksEmbedded =
    "is a reference to an embedded object, whose properties CSV leaves out; export with --format jsonl, which has them"

  /// The object that a primary key names, or without one the key of the object itself.
  package func object(_ value: ImportValue, in target: Table) throws(ImportProblem) -> ObjectKey {
    let name = SchemaText.className(target.state.name)
    // CSV holds links as canonical JSON.
    if case .text(let bytes) = value, bytes.first == UInt8(ascii: "{"), let parsed = ImportValue(json: bytes), parsed["$link"] != nil {
      return try object(parsed, in: target)
    }
    var written = value
    do throws(StorageError) {
      if let link = value["$link"], let table = link["table"]?.string, case .integer(let number)? = link["key"] {
        if table.utf8.elementsEqual(target.state.name), try target.contains(ObjectKey(number)) { return ObjectKey(number) }
      }
      if let column = target.primaryKeyColumn {
        // An object with its properties names itself by its primary key.
        written = value[MemberName.of(SchemaNames.text(column.name))] ?? value
        let bytes = column.type == .string ? Preparation.invalidUTF8(written) : nil
        let key = bytes.map { Value.string($0) } ?? ImportConversion.value(written, column.type, slashes)
        if let key, let found = try target.find(primaryKey: key) {
          if bytes == nil { notes?.add(written, key, column.type) }
          noteLeftOut(value, key.queryText)
          return found
        }
      } else {
        written = value["$key"] ?? value
        if case .int(let number)? = ImportConversion.value(written, .int), try target.contains(ObjectKey(number)) {
          noteLeftOut(value, "\(number)")
          return ObjectKey(number)
        }
      }
    } catch { throw ImportProblem(reason: error.damage) }
    let shown = Preparation.shown(value["$link"]?["key"] ?? written)
    throw ImportProblem(reason: "links to an object of '\(name)' that does not exist\(shown)")
  }

  /// Of an object that names itself with all its properties.
  private func noteLeftOut(_ value: ImportValue, _ key: String) {
    guard let notes, case .object(let members) = value, members.count > 1 else { return }
    notes.add("expanded", value.shownText, "becomes a link to \(key); its other properties are left out")
  }

  // MARK: Mixed values

  private func mixed(_ value: ImportValue, nesting: Int) throws(ImportProblem) -> PreparedValue {
    guard nesting < 100 else { throw ImportProblem(reason: "is nested too deeply") }
    switch value {
    case .array(let parts):
      var elements: [PreparedValue] = []
      for part in parts { elements.append(try mixed(part, nesting: nesting + 1)) }
      return .elements(elements)
    case .object(let members):
      if members.count == 1, members[0].name.hasPrefix("$") { return try wrapped(members[0].name, members[0].value, nesting) }
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      for (name, value) in members { entries.append((Array(name.utf8), try mixed(value, nesting: nesting + 1))) }
      return .entries(entries)
    default:
      guard let converted = ImportConversion.value(value, .mixed) else { throw ImportProblem(reason: "is no value\(Preparation.shown(value))") }
      notes?.add(value, converted, .mixed)
      return .value(converted)
    }
  }

  /// Types that JSON has not: `{"$date": "2020-01-31T12:00:00Z"}`.
  private func wrapped(_ name: String, _ value: ImportValue, _ nesting: Int) throws(ImportProblem) -> PreparedValue {
    switch (name, value) {
    case ("$link", _):
      if let className = value["class"]?.string, let key = value["key"] {
        return .value(.typedLink(try typedLink(className, key)))
      }
      if let table = value["table"]?.string, value["key"] != nil {
        return .value(.typedLink(try typedLink(table, .object([(name: "$link", value: value)]))))
      }
    case ("$dictionary", .object(let members)):
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      for (name, value) in members { entries.append((Array(name.utf8), try mixed(value, nesting: nesting + 1))) }
      return .entries(entries)
    case ("$invalidUtf8", .text(let bytes)): return .value(.string(Base64.decode(bytes[...])))
    case ("$dictionary", .array(let pairs)):
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      for pair in pairs {
        guard case .array(let parts) = pair, parts.count == 2, case .text(let key) = parts[0] else { break }
        entries.append((key, try mixed(parts[1], nesting: nesting + 1)))
      }
      if entries.count == pairs.count {
        try Preparation.checkKeys(entries)
        return .entries(entries)
      }
    default:
      let type = TypeWords.canonicalType(name) ?? TypeWords.type(name.dropFirst())
      if let type, let converted = ImportConversion.value(value, type) {
        if case .timestamp = converted { notes?.add(value, converted, type) } else if case .number = value { notes?.add(value, converted, type) }
        return .value(converted)
      }
    }
    throw ImportProblem(reason: "has no value in \(name); write one that JSON has no word for as {\"$date\": \"2020-01-31\"}")
  }

  private func typedLink(_ className: String, _ key: ImportValue) throws(ImportProblem) -> ObjectLink {
    let table: Table?
    do throws(StorageError) { table = try Preparation.table(named: className, group) } catch {
      throw ImportProblem(reason: error.damage)
    }
    guard let table else { throw ImportProblem(reason: "links to the class '\(className)', which does not exist") }
    guard table.kind == .topLevel else { throw ImportProblem(reason: "links to the class '\(className)', to whose objects nothing can link") }
    return ObjectLink(table: table.key, key: try object(key, in: table))
  }

  /// A class, or a table that is none.
  package static func table(named name: String, _ group: Group) throws(StorageError) -> Table? {
    if let table = try group.table(named: "class_" + name) { return table }
    return try group.table(named: name)
  }

  private static func invalidUTF8(_ value: ImportValue) -> [UInt8]? {
    guard case .object(let members) = value, members.count == 1, case .text(let bytes)? = value["$invalidUtf8"] else { return nil }
    return Base64.decode(bytes[...])
  }
}
