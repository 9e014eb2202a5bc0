import Foundation
import RealmStorage

/// Lines that somebody types, with editing, history and completion, by the system's libedit.
///
/// The library is looked for when the editor is made: the tool is neither built nor linked with it, and does without where it is missing.
/// - SAFETY: what it points at is in the library, which stays loaded.
@safe struct LineEditor: ~Copyable {
  private typealias ReadLine = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias AddHistory = @convention(c) (UnsafePointer<CChar>) -> CInt
  private typealias Complete = @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

  private let readLine: ReadLine
  private let addHistory: AddHistory

  /// What the library calls back for, and where it says what has been typed: one terminal, one editor.
  /// - SAFETY: points at variables of the library, which stays loaded.
  @safe private struct Shared {
    var complete: (@Sendable (String) -> ShellCompletion.Answer)?
    /// Holds a pointer to the characters of the line.
    var lineBuffer: UnsafeMutableRawPointer?
    /// Hold a C int each.
    var cursor: UnsafeMutableRawPointer?
    var end: UnsafeMutableRawPointer?
    var appended: UnsafeMutableRawPointer?
    var over: UnsafeMutableRawPointer?
  }
  // SAFETY: written once, by `init`, and read by the callback, which `readLine` calls on the thread that it was called on.
  nonisolated(unsafe) private static var shared = Shared()

  /// - Parameter complete: what can stand behind the text before the cursor.
  /// - Returns: nil where there is no libedit.
  init?(complete: @escaping @Sendable (String) -> ShellCompletion.Answer) {
    #if canImport(Darwin)
      let names = ["libedit.3.dylib"]
    #else
      let names = ["libedit.so.2", "libedit.so.0", "libedit.so"]
    #endif
    var library: UnsafeMutableRawPointer?
    for name in names where unsafe library == nil { unsafe library = dlopen(name, RTLD_NOW | RTLD_LOCAL) }
    guard let library = unsafe library, let read = unsafe dlsym(library, "readline"), let add = unsafe dlsym(library, "add_history"),
      let buffer = unsafe dlsym(library, "rl_line_buffer"), let cursor = unsafe dlsym(library, "rl_point"), let end = unsafe dlsym(library, "rl_end"),
      let appended = unsafe dlsym(library, "rl_completion_append_character"), let breaks = unsafe dlsym(library, "rl_basic_word_break_characters"),
      let attempt = unsafe dlsym(library, "rl_attempted_completion_function"), let over = unsafe dlsym(library, "rl_attempted_completion_over")
    else { return nil }
    // What is typed is text in the encoding of the user.
    unsafe setlocale(LC_CTYPE, "")
    // SAFETY: types and meaning of functions and variables are those of `editline/readline.h`, which has not changed them in twenty years.
    unsafe readLine = unsafeBitCast(read, to: ReadLine.self)
    // SAFETY: the same header declares it so.
    unsafe addHistory = unsafeBitCast(add, to: AddHistory.self)
    unsafe Self.shared.complete = complete
    unsafe Self.shared.lineBuffer = buffer
    unsafe Self.shared.cursor = cursor
    unsafe (Self.shared.end, Self.shared.appended, Self.shared.over) = (end, appended, over)
    // Lives as long as the process.
    unsafe breaks.storeBytes(of: strdup(ShellCompletion.breaks), as: UnsafeMutablePointer<CChar>?.self)
    let callback: Complete = { text, _, _ in unsafe LineEditor.matches(text) }
    unsafe attempt.storeBytes(of: callback, as: Complete.self)
  }

  /// Reads a line, which may be edited.
  /// - Returns: nil at the end of the input, and when a signal came while it was read.
  func line(_ prompt: String) -> String? {
    guard let text = unsafe readLine(prompt) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// Adds a line to those that the keys go back to.
  func remember(_ line: String) { _ = unsafe addHistory(line) }

  /// What the library asks when the key for completion is pressed.
  /// - Parameter text: what it has found of the word at the cursor.
  /// - Returns: an array that the library frees: what all continuations have in common, each of them, nil. Nil if there are none.
  private static func matches(_ text: UnsafePointer<CChar>?) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // No names of files but those that are given to it: the library forgets this each time.
    unsafe shared.over?.storeBytes(of: 1, as: CInt.self)
    guard let text = unsafe text, let complete = unsafe shared.complete, let line = lineBeforeCursor() else { return nil }
    let answer = complete(line)
    // Where the library sees another beginning of the word than we do, it would replace the wrong letters.
    guard unsafe String(cString: text) == answer.fragment, let first = answer.texts.first else { return nil }
    unsafe shared.appended?.storeBytes(of: answer.endsWord ? CInt(UInt8(ascii: " ")) : 0, as: CInt.self)
    let common = answer.texts.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let texts = [common] + answer.texts
    let array = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (place, text) in texts.enumerated() { unsafe array[place] = strdup(text) }
    unsafe array[texts.count] = nil
    return unsafe array
  }

  /// What stands before the cursor, which the library counts in characters where it was built for those, and in bytes otherwise.
  private static func lineBeforeCursor() -> String? {
    guard let buffer = unsafe shared.lineBuffer?.load(as: UnsafeMutablePointer<CChar>?.self),
      let cursor = unsafe shared.cursor?.load(as: CInt.self), let end = unsafe shared.end?.load(as: CInt.self), cursor >= 0
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: strlen(buffer))
    if bytes.count == Int(end) { return unsafe String(decoding: bytes.prefix(Int(cursor)), as: UTF8.self) }
    return unsafe String(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(Int(cursor)))
  }
}
