extension RealmCore {
  /// Why the calling code cannot look at the realm now; nil if it can. Never stops.
  var obstacle: String? {
    if isFrozen || cell.thread == currentThread() { return nil }
    // Whether code runs on an actor cannot be asked without stopping if it does not: only the thread that used the realm last is known.
    if case .actor = confinement { return "of an actor, which did not use it last on this thread" }
    return confinement.isCurrent() ? nil : "of another thread"
  }

  /// What a realm is, in one line.
  var facts: String {
    var facts = [file.path.debugDescription]
    if isFrozen { facts.append("frozen") } else { facts.append("of \(confinement.debugDescription)") }
    if configuration.readOnly { facts.append("read-only") }
    if let obstacle { return (facts + ["seen from elsewhere: \(obstacle)"]).joined(separator: ", ") }
    if isInWriteTransaction { facts.append("in a write transaction") }
    facts.append(version.map { "version \($0)" } ?? "no version held")
    facts.append("\(schema.objectSchema.count) classes")
    return facts.joined(separator: ", ")
  }
}
