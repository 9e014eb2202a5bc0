// What debuggers and failing tests show of clusters, groups and tables: a few lines at most, whatever the bytes.

extension Cluster: CustomDebugStringConvertible {
  package var debugDescription: String {
    "cluster \(node.ref): \(count) objects \(Excerpt.list(count) { "\(key($0).rawValue)" }), \(node.count - 1) columns"
  }
}

extension Row: CustomDebugStringConvertible {
  package var debugDescription: String { row < cluster.count ? "\(key) in row \(row) of cluster \(cluster.node.ref)" : "no row" }
}

extension ColumnDescription: CustomDebugStringConvertible {
  package var debugDescription: String {
    let opposite = oppositeTable == .null ? "" : " of \(oppositeTable)"
    return "\(isPublic ? Excerpt.text(name) : "backlinks")\(opposite) (\(key))"
  }
}

extension Table: CustomDebugStringConvertible {
  package var debugDescription: String {
    let columns = publicColumns
    let names = Excerpt.list(columns.count) { "\(Excerpt.text(columns[$0].name)): \(columns[$0].type)" }
    let objects = (try? count()).map { "\($0) objects" } ?? "damaged objects"
    return "\(key) \(Excerpt.text(state.name)) at \(state.ref): \(kind), \(objects), \(names)"
  }
}

extension Group: CustomDebugStringConvertible {
  package var debugDescription: String {
    let tables = Excerpt.list(slots.count) { (slot: Int) in
      switch slots[slot] {
      case .table(let ref): "\(Excerpt.text(names[slot])) at \(ref)"
      case .free: "free"
      }
    }
    return "group at \(topRef), \(scratch == nil ? "reading" : "writing"): tables \(tables)"
  }
}
