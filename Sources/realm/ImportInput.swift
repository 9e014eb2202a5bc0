import Foundation
import RealmInspection
import RealmStorage

/// What `import` reads: a file, or what comes from elsewhere or is in another encoding, kept in a file without a name.
struct ImportInput {
  let source: ImportSource
  let note: String?

  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - encoding: nil for UTF-8, or what a mark at the beginning of the text tells.
  ///   - isQuiet: nothing tells how much was read from elsewhere.
  init(_ path: String, _ encoding: TextEncoding?, isQuiet: Bool) throws(ImportError) {
    // Whoever types the input sees what was read.
    let progress = Progress("reading", isQuiet: isQuiet || path == "-" && Terminal.isTyped, countsBytes: true)
    defer { progress.finish() }
    let input: InputDescriptor
    var head: [UInt8]
    do throws(StorageError) {
      input = try InputDescriptor(path)
      head = try input.read()
      // A pipe may give a part of the mark.
      while head.count < 4, case let more = try input.read(), !more.isEmpty { head += more }
    } catch { throw .storage(error) }
    let marked = TextEncoding(mark: head)
    note = encoding == nil ? marked.map { "the text is \($0.rawValue), as its first bytes say; --encoding says otherwise" } : nil
    if encoding == nil, marked == nil, let likely = TextEncoding(unmarked: head) {
      let reason = "every other byte of its beginning is zero, as in \(likely.rawValue) without a byte order mark"
      throw .input(ImportProblem(reason: reason, hint: "give --encoding \(likely.rawValue), or utf-8 if it is that"))
    }
    let known = encoding ?? marked ?? .utf8
    if input.isRegular, known == .utf8 {
      do throws(StorageError) { source = try ImportSource(path: path) } catch { throw .storage(error) }
    } else {
      source = try ImportInput.copied(input, head, TextDecoder(known), progress)
    }
  }

  private static func copied(
    _ input: InputDescriptor, _ head: [UInt8], _ decoder: TextDecoder, _ progress: Progress
  ) throws(ImportError) -> ImportSource {
    let copy = NSTemporaryDirectory() + "/realm-import-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))"
    // An open file stays readable when its name is gone: so nothing is left behind, whatever happens.
    defer { _ = FileCalls.remove(copy) }
    var decoder = decoder
    var piece = head
    do {
      let storage = try FileStorage(path: copy, mode: .createPrivate)
      var position: UInt64 = 0
      while !piece.isEmpty {
        let text = try decoder.decode(piece)
        if !text.isEmpty { try storage.write(text, at: position) }
        position += UInt64(text.count)
        progress.update(Int(clamping: position))
        piece = try input.read()
      }
      try decoder.finish()
      return try ImportSource(path: copy)
    } catch let error as StorageError { throw .storage(error) } catch let error as ImportProblem { throw .input(error) } catch {
      throw .input(ImportProblem(reason: "\(error)"))
    }
  }
}
