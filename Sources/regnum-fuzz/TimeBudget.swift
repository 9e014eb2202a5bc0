/// What `--seconds` allows, from its making on.
struct TimeBudget {
  private let begin = Progress.now()
  /// Nil for as long as it takes.
  let seconds: Double?

  var elapsedSeconds: Double { Double(Progress.now() - begin) / 1e9 }
  var isOver: Bool { seconds.map { elapsedSeconds > $0 } ?? false }
}
