import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that has a database's lock file open.
package struct LockHolder: Hashable, Comparable, Sendable {
  package let process: Int32
  /// The name of its executable, as far as the system tells.
  package let name: String

  package static func < (a: LockHolder, b: LockHolder) -> Bool { a.process < b.process }

  /// Processes other than this one that have a realm's lock file open, by ascending number. Only looks into `/proc`: takes no lock and opens
  /// neither file.
  ///
  /// Two sources, neither of them complete: descriptors of processes that this user may look into, and the system's list of `flock`s, which
  /// names the process that took each. Empty on other systems than Linux.
  package static func ofDatabase(at path: String) -> [LockHolder] {
    guard let file = lockFile(of: path) else { return [] }
    var processes = Set(flockOwners(of: file))
    let others = entries(of: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() && !processes.contains($0) }
    processes.formUnion(lasting(others) { hasOpen($0, file) })
    processes.remove(getpid())
    return processes.sorted().map { LockHolder(process: $0, name: name(of: $0)) }
  }

  /// Those of them that work with a realm whose file is not the one that has its name now: that was moved there over theirs. Only those that this
  /// user may look into.
  ///
  /// Who works with a realm has mapped its lock file. One that only has it open may have inherited it from its starter, without the realm's.
  package static func ofReplacedFile(at path: String) -> [LockHolder] {
    guard let file = file(at: path), let lockFile = lockFile(of: path) else { return [] }
    let processes = lasting(ofDatabase(at: path).map(\.process)) { process in
      hasOpen(process, lockFile) && hasMapped(process, lockFile) && !hasOpen(process, file)
    }
    return processes.map { LockHolder(process: $0, name: name(of: $0)) }
  }

  /// Those for which the condition holds now and some moments later: a process that is just being started has open what its starter has, until it
  /// runs its own program, and one that is just opening the realm has its lock file first.
  private static func lasting(_ processes: [Int32], _ condition: (Int32) -> Bool) -> [Int32] {
    var lasting = processes.filter(condition)
    for _ in 0..<2 where !lasting.isEmpty {
      usleep(20_000)
      lasting.removeAll { !condition($0) }
    }
    return lasting
  }

  private static func lockFile(of path: String) -> OpenedFile? { file(at: RealmPaths(FileCalls.realPath(path)).lock) }

  private static func file(at path: String) -> OpenedFile? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return OpenedFile(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
  }

  private struct OpenedFile: Equatable {
    let device: UInt64
    let node: UInt64
    /// Major and minor number as `/proc/locks` writes them.
    var devicePrefix: String {
      let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
      let minor = device & 0xFF | (device >> 12) & ~0xFF
      return "\(hexadecimal(major)):\(hexadecimal(minor)):"
    }
    private func hexadecimal(_ value: UInt64) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
  }

  private static func hasOpen(_ process: Int32, _ file: OpenedFile) -> Bool {
    let directory = "/proc/\(process)/fd"
    return entries(of: directory).contains { name in
      var status = stat()
      // Follows the link to the open file, whatever its name is now.
      guard unsafe stat(directory + "/" + name, &status) == 0 else { return false }
      return file == OpenedFile(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }
  }

  /// Lines such as `7f0c5e600000-7f0c5e601000 rw-s 00000000 08:01 5678 /path`. Some file systems write another device there than in a status:
  /// only the file's number is compared.
  private static func hasMapped(_ process: Int32, _ file: OpenedFile) -> Bool {
    text(of: "/proc/\(process)/maps").split(separator: "\n").contains { line in
      let words = line.split(separator: " ", maxSplits: 5)
      return words.count > 4 && UInt64(words[4]) == file.node
    }
  }

  /// Lines such as `4: FLOCK  ADVISORY  READ 1234 08:01:5678 0 EOF`; `->` stands behind the number of those who wait.
  private static func flockOwners(of file: OpenedFile) -> [Int32] {
    let wanted = file.devicePrefix + "\(file.node)"
    return text(of: "/proc/locks").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let kind = words.firstIndex(of: "FLOCK"), kind == 1, words.count > 5, words[5] == wanted else { return nil }
      // Processes outside of this one's name space have no number here.
      return Int32(words[4]).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  private static func name(of process: Int32) -> String {
    let name = text(of: "/proc/\(process)/comm")
    return name.hasSuffix("\n") ? String(name.dropLast()) : name
  }

  private static func entries(of path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Empty if it cannot be read.
  private static func text(of path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 24 {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
