import Changesets

extension Changeset {
  func address(_ object: ObjectAddress) -> ModelAddress { ModelAddress(className: text(object.table), key: key(object.key)) }

  private func key(_ key: PrimaryKey) -> ModelKey {
    switch key {
    case .null: .null
    case .int(let value): .int(value)
    case .string(let value): .string(text(value))
    case .objectID(let value): .objectID(value)
    case .uuid(let value): .uuid(value)
    case .globalKey(let high, let low): .globalKey(high: high, low: low)
    }
  }

  func newValue(_ value: Payload) -> ModelChange.NewValue {
    switch value {
    case .null: .value(.null)
    case .int(let value): .value(.int(value))
    case .bool(let value): .value(.bool(value))
    case .string(let range): .value(.string(String(decoding: bytes(range), as: UTF8.self)))
    case .binary(let range): .value(.binary(Array(bytes(range))))
    case .timestamp(let seconds, let nanoseconds): .value(.timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case .float(let bits): .value(.float(bits))
    case .double(let bits): .value(.double(bits))
    case .decimal(let value): .value(.decimal(value))
    case .link(let table, let key): .value(.link(ModelAddress(className: text(table), key: self.key(key))))
    case .objectID(let value): .value(.objectID(value))
    case .uuid(let value): .value(.uuid(value))
    case .objectValue: .object
    case .dictionary: .dictionary
    case .list: .list
    case .set: .set
    case .erased: .nothing
    }
  }
}
