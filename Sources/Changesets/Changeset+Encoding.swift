/// Where strings are written.
package enum StringOrder: Sendable {
  /// All at the beginning; nothing at all if there is no instruction. What a parsed changeset is written as.
  case first
  /// Each where it was found: what was parsed comes out again.
  case asRecorded
}

extension Changeset {
  /// The bytes for the history and for messages.
  package func encoded(_ order: StringOrder = .first) -> [UInt8] {
    if order == .first, instructions.isEmpty { return [] }
    var writer = ByteWriter()
    writer.reserve(pool.count)
    var next = 0
    for (number, instruction) in instructions.enumerated() {
      while next < strings.entries.count, order == .first || strings.entries[next].instruction <= number {
        write(string: next, to: &writer)
        next += 1
      }
      write(instruction, to: &writer)
    }
    for rest in next..<strings.entries.count { write(string: rest, to: &writer) }
    return writer.bytes
  }

  private func write(string position: Int, to writer: inout ByteWriter) {
    writer.integer(InstructionCode.internString)
    writer.integer(Int64(position))
    writer.raw(pool[strings.entries[position].bytes.range])
  }

  private func write(_ instruction: Instruction, to writer: inout ByteWriter) {
    writer.integer(Int64(instruction.code.rawValue))
    switch instruction {
    case .addTable(let table, let definition):
      write(table, to: &writer)
      write(definition, to: &writer)
    case .eraseTable(let table): write(table, to: &writer)
    case .createObject(let object), .eraseObject(let object): write(object, to: &writer)
    case .addColumn(let table, let field, let column):
      write(table, to: &writer)
      write(field, to: &writer)
      write(column, to: &writer)
    case .eraseColumn(let table, let field):
      write(table, to: &writer)
      write(field, to: &writer)
    case .update(let place, let value, let isDefault):
      write(place, value, to: &writer)
      writer.bool(isDefault)
    case .updateElement(let place, let value, let priorSize), .arrayInsert(let place, let value, let priorSize):
      write(place, value, to: &writer)
      writer.integer(Int64(priorSize))
    case .addInteger(let place, let amount):
      write(place, to: &writer)
      writer.integer(amount)
    case .arrayMove(let place, let target, let priorSize):
      write(place, to: &writer)
      writer.integer(Int64(target))
      writer.integer(Int64(priorSize))
    case .arrayErase(let place, let priorSize):
      write(place, to: &writer)
      writer.integer(Int64(priorSize))
    case .clear(let place, let kind):
      write(place, to: &writer)
      writer.integer(Int64(kind.rawValue))
    case .setInsert(let place, let value), .setErase(let place, let value): write(place, value, to: &writer)
    }
  }

  // MARK: Parts

  private func write(_ string: StringIndex, to writer: inout ByteWriter) { writer.integer(Int64(string.position)) }

  private func write(_ object: ObjectAddress, to writer: inout ByteWriter) {
    write(object.table, to: &writer)
    write(object.key, to: &writer)
  }

  private func write(_ place: Place, to writer: inout ByteWriter) {
    write(place.object, to: &writer)
    write(place.field, to: &writer)
    writer.integer(Int64(place.path.count))
    for element in elements(place.path) {
      switch element {
      case .index(let index): writer.integer(Int64(index))
      case .key(let key):
        writer.integer(-1)
        write(key, to: &writer)
      }
    }
  }

  private func write(_ place: Place, _ value: Payload, to writer: inout ByteWriter) {
    write(place, to: &writer)
    write(value, to: &writer)
  }

  private func write(_ key: PrimaryKey, to writer: inout ByteWriter) {
    writer.type(key.type)
    switch key {
    case .null: break
    case .int(let number): writer.integer(number)
    case .string(let string): write(string, to: &writer)
    case .objectID(let number): writer.bigEndian(number, byteCount: 12)
    case .uuid(let number): writer.bigEndian(number, byteCount: 16)
    case .globalKey(let high, let low):
      writer.integer(high)
      writer.integer(low)
    }
  }

  private func write(_ value: Payload, to writer: inout ByteWriter) {
    writer.type(value.type)
    switch value {
    case .null, .objectValue, .dictionary, .erased, .list, .set: break
    case .int(let number): writer.integer(number)
    case .bool(let flag): writer.bool(flag)
    case .string(let range), .binary(let range): writer.raw(bytes(range))
    case .timestamp(let seconds, let nanoseconds):
      writer.integer(seconds)
      writer.integer(nanoseconds)
    case .float(let bits): writer.bigEndian(UInt128(bits.byteSwapped), byteCount: 4)
    case .double(let bits): writer.bigEndian(UInt128(bits.byteSwapped), byteCount: 8)
    case .decimal(let number):
      writer.wideInteger(number.coefficient)
      writer.integer(number.exponent)
      writer.bool(number.isNegative)
    case .link(let table, let key):
      write(table, to: &writer)
      write(key, to: &writer)
    case .objectID(let number): writer.bigEndian(number, byteCount: 12)
    case .uuid(let number): writer.bigEndian(number, byteCount: 16)
    }
  }

  private func write(_ definition: ClassDefinition, to writer: inout ByteWriter) {
    writer.integer(Int64(definition.kind.rawValue))
    guard let key = definition.primaryKey else { return }
    write(key.field, to: &writer)
    writer.type(key.type)
    writer.bool(key.isNullable)
  }

  private func write(_ column: ColumnDefinition, to writer: inout ByteWriter) {
    writer.type(column.type)
    writer.bool(column.isNullable)
    writer.integer(Int64(column.collection.rawValue))
    if let target = column.target { write(target, to: &writer) }
    if let keyType = column.keyType { writer.type(keyType) }
  }
}
