import RealmStorage

extension [QueryArgument] {
  /// - Throws: the error for arguments that were not given (Q4.3).
  func at(_ index: Int, _ offset: Int?) throws(QueryError) -> QueryArgument {
    if index < count { return self[index] }
    let provided =
      switch count {
      case 0: "no arguments are provided"
      case 1: "only 1 argument is provided"
      default: "only \(count) arguments are provided"
      }
    throw .argument("Request for argument at index \(index) but \(provided)", at: offset)
  }

  /// What an argument between brackets stands for; -1 is the last element.
  func selector(_ index: Int, _ offset: Int?) throws(QueryError) -> ElementSelector {
    switch try at(index, offset) {
    case .value(.int(-1)): return .last
    // Taken for a position that no list has.
    case .value(.int(let position)): return .index(position < 0 ? Int.max : Int(position))
    case .value(.string(let key)): return .key(key)
    case .value(.null), .list: throw .query("Invalid index parameter", at: offset)
    default: throw .query("Invalid index type", at: offset)
    }
  }
}
