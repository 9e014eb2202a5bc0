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
}
