import Glibc

/// Processor time and wall-clock time of one repetition, in nanoseconds.
struct Elapsed {
  var processor: Double
  var wall: Double

  static func of(_ body: () throws -> Void) rethrows -> Elapsed {
    let (processor, wall) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC))
    try body()
    return Elapsed(processor: now(CLOCK_PROCESS_CPUTIME_ID) - processor, wall: now(CLOCK_MONOTONIC) - wall)
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// Resident memory of this process, from `/proc/self/status`.
enum ResidentMemory {
  /// Makes the peak start again from the present amount.
  static func resetPeak() throws {
    guard let file = fopen("/proc/self/clear_refs", "w") else { throw PeerError("cannot open /proc/self/clear_refs") }
    fputs("5", file)
    fclose(file)
  }
  static func peakByteCount() throws -> Int { try value("VmHWM:") }
  static func byteCount() throws -> Int { try value("VmRSS:") }

  private static func value(_ name: String) throws -> Int {
    guard let file = fopen("/proc/self/status", "r") else { throw PeerError("cannot open /proc/self/status") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(name), let kilobytes = Int(text.dropFirst(name.count).filter { $0.isNumber }) else { continue }
      return kilobytes * 1024
    }
    throw PeerError("no \(name) in /proc/self/status")
  }
}

/// Files of the databases under measurement.
enum Files {
  static func byteCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
  static func remove(_ paths: [String]) { for path in paths { Glibc.remove(path) } }

  static func copy(_ source: String, to target: String) throws {
    let (input, output) = (open(source, O_RDONLY), open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
    defer { close(input); close(output) }
    guard input >= 0, output >= 0 else { throw PeerError("cannot copy \(source)") }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(input, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0, Glibc.write(output, buffer, count) == count else { throw PeerError("cannot copy \(source)") }
    }
    // Else the measured sync would have to write the copy as well.
    guard fsync(output) == 0 else { throw PeerError("cannot sync \(target)") }
  }

  static func temporaryDirectory() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(parent)/regnum-benchmarks-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw PeerError("cannot create a directory in \(parent)") }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
