extension QueryPath {
  /// As written, for messages.
  var text: String {
    steps.map { step in
      switch step {
      case .name(let name): name
      case .backlink(let origin, let property): "@links.\(origin).\(property)"
      case .allBacklinks: "@links"
      case .keys: "@keys"
      case .values: "@values"
      case .element: "[]"
      case .argument(let index): "$K\(index)"
      }
    }.joined(separator: ".")
  }

  /// The steps of names joined by dots, with `@links.Class.property`, `@keys` and `@values`.
  static func steps(of text: String) -> [Step] {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var steps: [Step] = []
    var index = 0
    while index < parts.count {
      if parts[index] == "@links" && index + 2 < parts.count {
        steps.append(.backlink(origin: parts[index + 1], property: parts[index + 2]))
        index += 3
        continue
      }
      switch parts[index] {
      case "@keys": steps.append(.keys)
      case "@values": steps.append(.values)
      default: steps.append(.name(parts[index]))
      }
      index += 1
    }
    return steps
  }
}
