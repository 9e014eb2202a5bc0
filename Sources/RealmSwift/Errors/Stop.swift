#if canImport(Glibc)
  @unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#elseif canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#endif

/// Where a program called the SDK, for members whose errors come from data: a text without it does not tell which of many calls was meant.
struct CallSite {
  let file: StaticString
  let line: UInt

  /// Members of the library call each other, and then stand where the caller of the first one should.
  var isOfLibrary: Bool { "\(file)".hasPrefix("RealmSwift/") }
}

/// Ends the process because of something else than its caller's mistake, or where the caller is known: the one place from which a text of ours does so.
/// `fatalError` prints the text in release builds too, `preconditionFailure` would not.
///
/// What the program has printed is written before, so that the last lines of a service say what led to its end.
/// - Parameters:
///   - file: what the text blames: the caller's, where the member of the API was told of it.
///   - line: of that file.
func stop(_ text: String, at file: StaticString, _ line: UInt) -> Never {
  flushStandardOutput()
  fatalError(text, file: file, line: line)
}

/// Ends the process because the program misused the API, in a member that was not told who called it.
///
/// The text is out before the caller is looked for, which takes memory: a service may have too little of it to go on.
/// - Parameters:
///   - file: of the library: what is blamed beside the line of the caller.
///   - line: of that file.
@usableFromInline package func stop(_ text: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  guard CallerLine.isWanted else { stop(text, at: file, line) }
  flushStandardOutput()
  writeToStandardError("\(file):\(line): Fatal error: \(text)\n")
  fatalError(CallerLine.lookUp().map { "Called at \($0)" } ?? "The line of the caller is not known.", file: file, line: line)
}

/// Without the buffer of `stderr`, whose lock another thread may have.
private func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// Does not wait for a thread that is printing now: it may never end.
private func flushStandardOutput() {
  guard let stream = unsafe stdout, unsafe ftrylockfile(stream) == 0 else { return }
  unsafe fflush(stream)
  unsafe funlockfile(stream)
}
