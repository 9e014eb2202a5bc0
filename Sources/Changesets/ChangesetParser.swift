/// How much a parser lets pass.
package enum Strictness: Sendable {
  /// What the reference lets pass, whose histories hold such changesets.
  case reference
  /// Also refuses what no recorder emits and what cannot be stored: for what comes from the network.
  case strict
}

/// Turns bytes into a changeset. Allocates in proportion to the bytes that are there, never to a number among them.
struct ChangesetParser {
  private var reader: ByteReader
  private var changeset: Changeset
  private let isStrict: Bool

  init(_ bytes: [UInt8], _ strictness: Strictness) {
    reader = ByteReader(bytes)
    changeset = Changeset(pool: bytes)
    isStrict = strictness == .strict
  }

  mutating func parse() throws(ChangesetError) -> Changeset {
    do throws(ChangesetError.Reason) {
      guard reader.bytes.count <= Int(UInt32.max) else { throw .tooLarge }
      while !reader.isAtEnd { try parseNext() }
    } catch {
      throw ChangesetError(reason: error, instruction: changeset.instructions.count, offset: reader.offset)
    }
    return changeset
  }

  private mutating func parseNext() throws(ChangesetError.Reason) {
    let number = try reader.integer()
    if number == InstructionCode.internString { return try internString() }
    guard let byte = UInt8(exactly: number), let code = InstructionCode(rawValue: byte) else { throw .unknownInstruction }
    changeset.instructions.append(try instruction(code))
  }

  private mutating func internString() throws(ChangesetError.Reason) {
    guard try reader.count() == UInt64(changeset.stringCount) else { throw .stringOrder }
    let bytes = try text()
    let entry = StringTable.Entry(bytes: bytes, instruction: UInt32(changeset.instructions.count))
    guard changeset.strings.append(entry, of: reader.bytes) else { throw .stringRepeated }
  }

  private mutating func instruction(_ code: InstructionCode) throws(ChangesetError.Reason) -> Instruction {
    switch code {
    case .addTable: return .addTable(try string(), try classDefinition())
    case .eraseTable: return .eraseTable(try string())
    case .createObject: return .createObject(try object())
    case .eraseObject: return .eraseObject(try object())
    case .addColumn: return .addColumn(try string(), field: try string(), try columnDefinition())
    case .eraseColumn: return .eraseColumn(try string(), field: try string())
    case .update: return try update()
    case .addInteger: return .addInteger(try place(), try reader.integer())
    case .arrayInsert: return .arrayInsert(try elementPlace(), try payload(), priorSize: try priorSize())
    case .arrayMove:
      return .arrayMove(try elementPlace(), to: try short(.indexTooLarge), priorSize: try priorSize())
    case .arrayErase: return .arrayErase(try elementPlace(), priorSize: try priorSize())
    case .clear: return .clear(try place(), try collectionKind())
    case .setInsert: return .setInsert(try place(), try payload())
    case .setErase: return .setErase(try place(), try payload())
    }
  }

  private mutating func update() throws(ChangesetError.Reason) -> Instruction {
    let place = try place()
    let value = try payload()
    if endsWithIndex(place) { return .updateElement(place, value, priorSize: try priorSize()) }
    return .update(place, value, isDefault: try bool())
  }

  // MARK: Parts

  private mutating func bool() throws(ChangesetError.Reason) -> Bool { try reader.integer() != 0 }

  /// A number of at most 32 bits.
  private mutating func short(_ reason: ChangesetError.Reason) throws(ChangesetError.Reason) -> UInt32 {
    guard let value = UInt32(exactly: try reader.count()) else { throw reason }
    return value
  }

  private mutating func priorSize() throws(ChangesetError.Reason) -> UInt32 { try short(.priorSizeTooLarge) }

  private mutating func string() throws(ChangesetError.Reason) -> StringIndex {
    let position = try reader.count()
    guard position < UInt64(changeset.stringCount) else { throw .unknownString }
    return StringIndex(UInt32(position))
  }

  private mutating func text() throws(ChangesetError.Reason) -> ByteRange {
    let bytes = try reader.range()
    if isStrict, String(validating: reader.bytes[bytes.range], as: UTF8.self) == nil { throw .notUTF8 }
    return bytes
  }

  private mutating func type(_ reason: ChangesetError.Reason) throws(ChangesetError.Reason) -> ValueType {
    guard let code = Int8(exactly: try reader.integer()), let type = ValueType(rawValue: code) else { throw reason }
    return type
  }

  private mutating func collectionKind() throws(ChangesetError.Reason) -> CollectionKind {
    guard let code = UInt8(exactly: try reader.count()), let kind = CollectionKind(rawValue: code) else { throw .collectionKind }
    return kind
  }

  private mutating func key() throws(ChangesetError.Reason) -> PrimaryKey {
    switch try type(.keyType) {
    case .null: return .null
    case .int: return .int(try reader.integer())
    case .string: return .string(try string())
    case .objectID: return .objectID(try reader.bigEndian(byteCount: 12))
    case .uuid: return .uuid(try reader.bigEndian(byteCount: 16))
    case .globalKey: return .globalKey(high: try reader.integer(), low: try reader.integer())
    default: throw .keyType
    }
  }

  private mutating func object() throws(ChangesetError.Reason) -> ObjectAddress { ObjectAddress(table: try string(), key: try key()) }

  private mutating func place() throws(ChangesetError.Reason) -> Place {
    let object = try object()
    let field = try string()
    let count = try reader.count()
    // Every element takes a byte at least.
    guard count <= UInt64(reader.bytes.count - reader.offset) else { throw .truncated }
    let start = changeset.pathElements.count
    for _ in 0..<count { changeset.pathElements.append(try pathElement()) }
    return Place(object: object, field: field, path: PathRange(start: UInt32(start), count: UInt32(count)))
  }

  private mutating func pathElement() throws(ChangesetError.Reason) -> PathElement {
    let number = try reader.integer()
    if number == -1 { return .key(try string()) }
    guard number >= 0 else { throw .pathElement }
    guard let index = UInt32(exactly: number) else { throw .indexTooLarge }
    return .index(index)
  }

  /// A place in a list.
  private mutating func elementPlace() throws(ChangesetError.Reason) -> Place {
    let place = try place()
    guard endsWithIndex(place) else { throw .noIndex }
    return place
  }

  private func endsWithIndex(_ place: Place) -> Bool {
    guard case .index? = changeset.elements(place.path).last else { return false }
    return true
  }

  private mutating func payload() throws(ChangesetError.Reason) -> Payload {
    switch try type(.valueType) {
    case .null: return .null
    case .int: return .int(try reader.integer())
    case .bool: return .bool(try bool())
    case .string: return .string(try text())
    case .binary: return .binary(try reader.range())
    case .timestamp: return try timestamp()
    case .float: return .float(UInt32(try reader.bigEndian(byteCount: 4)).byteSwapped)
    case .double: return .double(UInt64(try reader.bigEndian(byteCount: 8)).byteSwapped)
    case .decimal: return .decimal(try decimal())
    case .link: return .link(try string(), try key())
    case .objectID: return .objectID(try reader.bigEndian(byteCount: 12))
    case .uuid: return .uuid(try reader.bigEndian(byteCount: 16))
    case .globalKey: throw .valueType
    case .objectValue: return .objectValue
    case .dictionary: return .dictionary
    case .erased: return .erased
    case .list: return .list
    case .set: return .set
    }
  }

  private mutating func timestamp() throws(ChangesetError.Reason) -> Payload {
    let seconds = try reader.integer()
    let nanoseconds = try reader.integer()
    if isStrict {
      let limit: Int64 = 1_000_000_000
      let hasMixedSigns = seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0
      guard !hasMixedSigns, nanoseconds > -limit, nanoseconds < limit else { throw .timestamp }
    }
    return .timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  private mutating func decimal() throws(ChangesetError.Reason) -> DecimalBits {
    let coefficient = try reader.wideInteger()
    let exponent = try reader.integer()
    if isStrict, !DecimalBits.isValid(coefficient: coefficient, exponent: exponent) { throw .decimal }
    return DecimalBits(coefficient: coefficient, exponent: exponent, isNegative: try bool())
  }

  // MARK: Schema

  private mutating func classDefinition() throws(ChangesetError.Reason) -> ClassDefinition {
    guard let code = UInt8(exactly: try reader.count()), let kind = ClassKind(rawValue: code) else { throw .classKind }
    if kind == .embedded { return ClassDefinition(kind: kind, primaryKey: nil) }
    let field = try string()
    let type = try type(.keyType)
    guard type.isOfPrimaryKeys else { throw .keyType }
    return ClassDefinition(kind: kind, primaryKey: PrimaryKeyDefinition(field: field, type: type, isNullable: try bool()))
  }

  private mutating func columnDefinition() throws(ChangesetError.Reason) -> ColumnDefinition {
    let type = try type(.columnType)
    var column = ColumnDefinition(type: type, isNullable: try bool(), collection: try collectionKind())
    if type == .link { column.target = try string() }
    if column.collection == .dictionary { column.keyType = try self.type(.columnType) }
    if isStrict, !column.canBe { throw .columnDefinition }
    return column
  }
}
