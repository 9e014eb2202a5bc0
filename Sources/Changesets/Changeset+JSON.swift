extension Changeset {
  /// The strings and instructions as one JSON object: numbers of more than 53 bits as they are, bytes and floating-point numbers as digits of base 16.
  package func json() -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("strings")
      writer.array { writer in
        for position in 0..<stringCount { writer.string(text(StringIndex(UInt32(position)))) }
      }
      writer.name("instructions")
      writer.array { writer in
        for instruction in instructions { writer.object { write(instruction, to: &$0) } }
      }
    }
    return writer.text
  }

  private func write(_ instruction: Instruction, to writer: inout JSONWriter) {
    write("instr", instruction.code.name, to: &writer)
    switch instruction {
    case .addTable(let table, let definition):
      write("table", text(table), to: &writer)
      write(definition, to: &writer)
    case .eraseTable(let table): write("table", text(table), to: &writer)
    case .createObject(let object), .eraseObject(let object): write(object, to: &writer)
    case .addColumn(let table, let field, let column):
      write("table", text(table), to: &writer)
      write("field", text(field), to: &writer)
      write(column, to: &writer)
    case .eraseColumn(let table, let field):
      write("table", text(table), to: &writer)
      write("field", text(field), to: &writer)
    case .update(let place, let value, let isDefault):
      write(place, value, to: &writer)
      write("isDefault", isDefault, to: &writer)
    case .updateElement(let place, let value, let priorSize), .arrayInsert(let place, let value, let priorSize):
      write(place, value, to: &writer)
      write("priorSize", Int64(priorSize), to: &writer)
    case .addInteger(let place, let amount):
      write(place, to: &writer)
      write("value", amount, to: &writer)
    case .arrayMove(let place, let target, let priorSize):
      write(place, to: &writer)
      write("to", Int64(target), to: &writer)
      write("priorSize", Int64(priorSize), to: &writer)
    case .arrayErase(let place, let priorSize):
      write(place, to: &writer)
      write("priorSize", Int64(priorSize), to: &writer)
    case .clear(let place, let kind):
      write(place, to: &writer)
      write("collection", kind.name, to: &writer)
    case .setInsert(let place, let value), .setErase(let place, let value): write(place, value, to: &writer)
    }
  }

  // MARK: Members

  private func write(_ name: String, _ value: String, to writer: inout JSONWriter) {
    writer.name(name)
    writer.string(value)
  }

  private func write(_ name: String, _ value: Int64, to writer: inout JSONWriter) {
    writer.name(name)
    writer.number(value)
  }

  private func write(_ name: String, _ value: Bool, to writer: inout JSONWriter) {
    writer.name(name)
    writer.bool(value)
  }

  private func write(_ object: ObjectAddress, to writer: inout JSONWriter) {
    write("table", text(object.table), to: &writer)
    writer.name("object")
    writer.object { write(object.key, to: &$0) }
  }

  private func write(_ place: Place, to writer: inout JSONWriter) {
    write(place.object, to: &writer)
    write("field", text(place.field), to: &writer)
    writer.name("path")
    writer.array { writer in
      for element in elements(place.path) {
        switch element {
        case .index(let index): writer.number(Int64(index))
        case .key(let key): writer.string(text(key))
        }
      }
    }
  }

  private func write(_ place: Place, _ value: Payload, to writer: inout JSONWriter) {
    write(place, to: &writer)
    writer.name("value")
    writer.object { write(value, to: &$0) }
  }

  // MARK: Values

  private func write(_ key: PrimaryKey, to writer: inout JSONWriter) {
    write("type", key.type.name, to: &writer)
    switch key {
    case .null: break
    case .int(let number): write("value", number, to: &writer)
    case .string(let string): write("value", text(string), to: &writer)
    case .objectID(let number): write("value", Hexadecimal.text(number, byteCount: 12), to: &writer)
    case .uuid(let number): write("value", Hexadecimal.text(number, byteCount: 16), to: &writer)
    case .globalKey(let high, let low):
      write("hi", high, to: &writer)
      write("lo", low, to: &writer)
    }
  }

  private func write(_ value: Payload, to writer: inout JSONWriter) {
    write("type", value.type.name, to: &writer)
    switch value {
    case .null, .objectValue, .dictionary, .erased, .list, .set: break
    case .int(let number): write("value", number, to: &writer)
    case .bool(let flag): write("value", flag, to: &writer)
    case .string(let range): write("value", String(decoding: bytes(range), as: UTF8.self), to: &writer)
    case .binary(let range): write("value", Hexadecimal.text(bytes(range)), to: &writer)
    case .timestamp(let seconds, let nanoseconds):
      write("seconds", seconds, to: &writer)
      write("nanoseconds", nanoseconds, to: &writer)
    case .float(let bits): write("bits", Hexadecimal.text(UInt128(bits), byteCount: 4), to: &writer)
    case .double(let bits): write("bits", Hexadecimal.text(UInt128(bits), byteCount: 8), to: &writer)
    case .decimal(let number):
      write("coefficient", String(number.coefficient), to: &writer)
      write("exponent", number.exponent, to: &writer)
      write("negative", number.isNegative, to: &writer)
    case .link(let table, let key):
      write("table", text(table), to: &writer)
      writer.name("pk")
      writer.object { write(key, to: &$0) }
    case .objectID(let number): write("value", Hexadecimal.text(number, byteCount: 12), to: &writer)
    case .uuid(let number): write("value", Hexadecimal.text(number, byteCount: 16), to: &writer)
    }
  }

  private func write(_ definition: ClassDefinition, to writer: inout JSONWriter) {
    write("kind", definition.kind.name, to: &writer)
    guard let key = definition.primaryKey else { return }
    write("pkField", text(key.field), to: &writer)
    write("pkType", key.type.name, to: &writer)
    write("pkNullable", key.isNullable, to: &writer)
  }

  private func write(_ column: ColumnDefinition, to writer: inout JSONWriter) {
    write("type", column.type.name, to: &writer)
    write("nullable", column.isNullable, to: &writer)
    write("collection", column.collection.name, to: &writer)
    if let target = column.target { write("target", text(target), to: &writer) }
    if let keyType = column.keyType { write("keyType", keyType.name, to: &writer) }
  }
}
