import ArgumentParser
import Dispatch
import Foundation
import Randomness
import RealmInspection
import RealmStorage
import RealmSwift

@main struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regnum-soak",
    abstract: "Write, observe, cancel and hand over on many threads of two processes, and compare what observers were told with what is there.",
    discussion: """
      Half of the threads write and read, a quarter are actors, a quarter observe on dispatch queues. Meanwhile more processes write and are killed. Ends with a line for each kind of thing that happened.
      Under ThreadSanitizer: REGNUM_SANITIZER=thread swift run --sanitize thread --scratch-path .build/tsan regnum-soak --seconds 600
      """)

  @Option(help: "How long, in seconds.") var seconds = 600.0
  @Option(help: "Threads in each process, 8 at least.") var threads = 8
  @Option(help: "What determines the writes; drawn if not given.") var seed: UInt64 = .random(in: 0 ... .max)
  @Flag(help: "Only let two threads race for a number: what watches for races must tell of it.") var race = false
  @Option(help: .hidden) var partner: String?
  @Option(help: .hidden) var victim: String?
  @Option(help: .hidden) var first = 0

  static func main() async {
    StandardStreams.reserve()
    await main(nil)
  }

  func validate() throws {
    if threads < 8 || threads > 200 { throw ValidationError("--threads needs a number from 8 to 200.") }
    if seconds < 1 { throw ValidationError("--seconds needs 1 at least.") }
  }

  func run() async throws {
    if race { return Self.letThreadsRace() }
    if let partner { return try await accompany(partner) }
    if let victim { return Victims.write(victim, first: first, seconds: seconds, seed: seed) }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-soak-\(getpid())", isDirectory: true)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    print("seed \(seed)")
    let file = directory.appendingPathComponent("soak.realm")
    try prepare(file)
    let ledger = Ledger()
    let descriptorsBefore = Census.take().descriptorCount
    let child = try Partner(file, self)
    let victims = Victims(file, seconds, seed: seed, ledger)
    let crew = Crew(file, threads: threads, first: 1, seed: seed, ledger)
    let observation = Task { await Self.observe(seconds) }
    var committed = await crew.work(seconds)
    let censuses = await observation.value
    committed.merge(try child.finish(ledger)) { $1 }
    try check(file, committed, killed: await victims.finish(), ledger)
    if let growth = censuses.growth { ledger.violation(growth) }
    report(ledger, censuses, file, descriptorsBefore)
    if ledger.violationCount > 0 { throw ExitCode(1) }
  }

  private final class Number: @unchecked Sendable {
    // SAFETY: none; that it is not safe is what it is for.
    var value = 0
  }

  private static func letThreadsRace() {
    let number = Number()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<1_000_000 { number.value += 1 } }
    print("raced to \(number.value)")
  }

  /// The second process: its counters are its output.
  private func accompany(_ path: String) async throws {
    let ledger = Ledger()
    let crew = Crew(URL(fileURLWithPath: path), threads: threads, first: 1001, seed: seed &+ 1, ledger)
    for (identifier, count) in await crew.work(seconds) { print("\(identifier) \(count)") }
    if ledger.violationCount > 0 { throw ExitCode(1) }
  }

  private func prepare(_ file: URL) throws {
    let realm = try Realm(configuration: Crew.configuration(file))
    try realm.write { realm.create(Shelf.self, value: ["id": 0]) }
  }

  private static func observe(_ seconds: Double) async -> [Census] {
    var censuses: [Census] = []
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      try? await Task.sleep(for: .seconds(max(0.1, seconds / 200)))
      censuses.append(.take())
    }
    return censuses
  }

  /// Every commit that somebody was told of is there, and no other; the file is sound.
  /// - Parameter killed: the commits that writers were told of before their process was killed; each may have made one more.
  private func check(_ file: URL, _ committed: [Int: Int], killed: [Int: Int], _ ledger: Ledger) throws {
    do {
      let realm = try Realm(configuration: Crew.configuration(file))
      let counts = Dictionary(uniqueKeysWithValues: realm.objects(Counter.self).map { ($0.id, $0.count) })
      for (identifier, count) in committed where counts[identifier, default: 0] != count {
        ledger.violation("writer \(identifier) committed \(count) times, and its counter says \(counts[identifier, default: 0])")
      }
      for (identifier, count) in killed where !(count...count + 1).contains(counts[identifier, default: 0]) {
        ledger.violation("writer \(identifier) was told of \(count) commits and killed, and its counter says \(counts[identifier, default: 0])")
      }
      ledger.count("commits of killed processes", killed.values.reduce(0, +))
      if let disorder = realm.disorder { ledger.violation("the end: \(disorder)") }
    }
    for violation in try OpenFile(path: file.path, depth: .header).verify().violations { ledger.violation("the file: \(violation)") }
  }

  private func report(_ ledger: Ledger, _ censuses: [Census], _ file: URL, _ descriptorsBefore: Int) {
    for (what, count) in ledger.counts { print("\(what): \(count)") }
    let memory = censuses.map(\.residentMiB)
    print("memory: \(Int(memory.first ?? 0)) MiB at the beginning, \(Int(memory.max() ?? 0)) at most, \(Int(memory.last ?? 0)) at the end")
    let descriptors = censuses.map(\.descriptorCount)
    print("descriptors: \(descriptorsBefore) before, \(descriptors.max() ?? 0) at most, \(Census.take().descriptorCount) after")
    let size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
    print("file: \(size / 1024) KiB")
    print("soak: \(ledger.violationCount) violations")
  }
}
