/// What `--seconds` allows, from its making on.
struct TimeBudget {
  private let begin = Progress.now()
  /// Nil for as long as it takes.
  let seconds: Double?

  var isOver: Bool { seconds.map { Double(Progress.now() - begin) / 1e9 > $0 } ?? false }
}
