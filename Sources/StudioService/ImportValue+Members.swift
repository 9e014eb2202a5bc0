import RealmInspection

extension ImportValue {
  var int64: Int64? { if case .integer(let number) = self { Int64(exactly: number) } else { nil } }
  var elements: [ImportValue] { if case .array(let elements) = self { elements } else { [] } }
  var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}
