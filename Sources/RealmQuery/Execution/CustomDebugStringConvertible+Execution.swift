import RealmStorage

extension QueryPlan: CustomDebugStringConvertible {
  /// The texts of its explanation, which runs nothing.
  package var debugDescription: String {
    let texts = [conditionText(isBrief: true)] + stageTexts(isBrief: true)
    return "\(table.className): \(texts.joined(separator: ", "))".brief
  }
}

extension OrderStage: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .sort(let paths): "SORT(" + String(brief: paths) { $0.debugDescription + ($0.isAscending ? " ASC" : " DESC") } + ")"
    case .distinct(let paths): "DISTINCT(" + String(brief: paths, \.debugDescription) + ")"
    case .limit(let count): "LIMIT(\(count))"
    }
  }
}

extension SortPath: CustomDebugStringConvertible {
  var debugDescription: String {
    (chain.hops.isEmpty ? "" : chain.debugDescription + ".") + column.text + (entry?.debugDescription ?? "")
  }
}
