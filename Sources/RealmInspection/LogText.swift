package import RealmStorage

/// Transaction logs as the JSON of `Tests/Fixtures/history`: one object per instruction, with a space after each comma and colon.
package enum LogText {
  /// One line per instruction, e.g. `{"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 0}`.
  ///
  /// The keys of obsolete dictionary instructions are left out.
  package static func instructions(of chunks: [[UInt8]]) throws(StorageError) -> [String] {
    var decoder = LogDecoder(chunks: chunks)
    var lines: [String] = []
    while let instruction = try decoder.next() {
      let operands = operands(of: instruction).map { ", \"\($0.name)\": \($0.value)" }.joined()
      let opcode = decoder.opcode
      lines.append("{\"at\": \(decoder.instructionOffset), \"op\": \(opcode.rawValue), \"name\": \"\(name(of: opcode))\"\(operands)}")
    }
    return lines
  }

  private struct Operand {
    let name: String
    let value: String
    init(_ name: String, _ value: some BinaryInteger) { (self.name, self.value) = (name, String(value)) }
    init(_ name: String, _ values: [Int64]) { (self.name, value) = (name, "[" + values.map(String.init).joined(separator: ", ") + "]") }
  }

  private static func operands(of instruction: LogInstruction) -> [Operand] {
    switch instruction {
    case .insertTable(let table), .eraseTable(let table), .renameTable(let table), .selectTable(let table):
      [Operand("table", table.rawValue)]
    case .createObject(let object), .removeObject(let object): [Operand("obj", object.rawValue)]
    case .set(let column, let object), .selectCollection(let column, let object):
      [Operand("col", column.rawValue), Operand("obj", object.rawValue)]
    case .insertColumn(let column), .eraseColumn(let column), .renameColumn(let column): [Operand("col", column.rawValue)]
    case .selectNestedCollection(let column, let object, let path):
      [Operand("col", column.rawValue), Operand("obj", object.rawValue), Operand("path", path)]
    case .collectionInsert(let index), .collectionSet(let index), .collectionErase(let index): [Operand("index", index)]
    case .collectionMove(let from, let to): [Operand("index", from), Operand("to", to)]
    case .collectionClear(let oldCount): [Operand("old_size", oldCount)]
    case .typedLinkChange(let column, let target): [Operand("col", column.rawValue), Operand("table", target.rawValue)]
    }
  }

  /// The names of H4; a star marks what nobody writes any more.
  private static func name(of opcode: LogOpcode) -> String {
    switch opcode {
    case .insertTable: "InsertTable"
    case .eraseTable: "EraseTable"
    case .renameTable: "RenameTable"
    case .selectTable: "SelectTable"
    case .createObject: "CreateObject"
    case .removeObject: "RemoveObject"
    case .set: "Set"
    case .insertColumn: "InsertColumn"
    case .eraseColumn: "EraseColumn"
    case .renameColumn: "RenameColumn"
    case .selectCollection: "SelectCollection"
    case .collectionInsert: "CollectionInsert"
    case .collectionSet: "CollectionSet"
    case .collectionMove: "CollectionMove"
    case .collectionErase: "CollectionErase"
    case .collectionClear: "CollectionClear"
    case .dictionaryInsert: "DictionaryInsert*"
    case .dictionarySet: "DictionarySet*"
    case .dictionaryErase: "DictionaryErase*"
    case .setInsert: "SetInsert*"
    case .setErase: "SetErase*"
    case .setClear: "SetClear*"
    case .typedLinkChange: "TypedLinkChange"
    case .dictionaryClear: "DictionaryClear*"
    case .selectNestedCollection: "SelectCollectionByPath"
    }
  }
}
