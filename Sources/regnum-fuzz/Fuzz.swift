import ArgumentParser
import Foundation
import Randomness
import RealmInspection
import RealmStorage

@main struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regnum-fuzz", abstract: "Feed damaged files to the storage engine and report traps, hangs, contradictions and memory growth.",
    discussion: """
      Example: regnum-fuzz --count 200000 --dir Tests/Fixtures/realm-core --dir Tests/Fixtures/history
      Every input is determined by the seed and its number: --seed S --start N --count 1 repeats one.
      """)

  @Option(help: "How many damaged inputs to try.") var count: UInt64 = 200_000
  @Option(help: "Number of the first input.") var start: UInt64 = 0
  @Option(help: "What determines all inputs; drawn if not given.") var seed: UInt64?
  @Option(help: "Stop after this many seconds.") var seconds: Double?
  @Option(help: "A sound .realm file to damage; may be repeated.") var file: [String] = []
  @Option(help: "A directory whose .realm files are damaged; may be repeated.") var dir: [String] = []
  @Option(help: "Worker processes.") var jobs = 1
  @Option(help: "Files with more bytes are left out.") var maxSize = 200_000
  @Option(help: "Seconds that one input may take.") var timeLimit = 20.0
  @Option(help: "MiB of memory that a worker may use.") var memoryLimit = 1024
  @Option(help: "Where inputs that make trouble are kept.") var findings = "fuzz-findings"
  @Option(help: "Write the damaged inputs to this directory, with our verdict on each, instead of trying them further.") var emit: String?
  @Flag(help: "Encrypt the files, and damage what comes out; some also before, as somebody with the key could.") var encrypted = false
  @Option(help: "Try this file as it is.") var replay: String?
  @Option(
    help: "Commit --count rounds of random operations to this file and tell whether it is sound, so that another engine may look at it and go on.")
  var edit: String?
  @Option(help: "Damage the recorded changesets of this directory instead, such as Tests/Fixtures/changesets.") var changesets: String?
  @Flag(help: "Damage messages of the sync protocol instead.") var messages = false
  @Option(help: .hidden) var worker: String?
  @Option(help: .hidden) var stride: UInt64 = 1

  static func main() {
    StandardStreams.reserve()
    main(nil)
  }

  func validate() throws {
    if jobs < 1 || jobs > 64 { throw ValidationError("--jobs needs a number from 1 to 64.") }
    if changesets != nil || messages, jobs != 1 || encrypted || emit != nil || !file.isEmpty || !dir.isEmpty {
      throw ValidationError("--changesets and --messages damage no files: leave out --file, --dir, --emit, --encrypted and --jobs.")
    }
  }

  func run() throws {
    if let edit { return try editOne(edit) }
    if let changesets { return try damageChangesets(of: changesets) }
    if messages { return try damageMessages() }
    if let replay { return try replayOne(replay) }
    if let worker { return try work(in: worker) }
    if let emit { return try writeInputs(to: emit) }
    let scratch = Self.scratchDirectory()
    defer { FileCalls.removeDirectory(scratch) }
    let own = try ownFiles(in: scratch)
    let session = Campaign(options: self, seed: seed ?? .random(in: 0 ... .max), scratch: scratch, ownFiles: own)
    let found = try session.run()
    if found > 0 { throw ExitCode(1) }
  }

  /// In memory if possible: millions of small files are written.
  static func scratchDirectory() -> String {
    let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    let path = parent + "/regnum-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func ownFiles(in scratch: String) throws -> [String] {
    do throws(StorageError) { return try SampleFiles.make(in: scratch) } catch {
      print("making the own files failed: \(error)")
      throw ExitCode(1)
    }
  }

  /// Images of all files, in an order that does not depend on the directory.
  func images(_ own: [String]) -> [FileImage] {
    var paths = file + own
    for directory in dir {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      paths += names.filter { $0.hasSuffix(".realm") }.sorted().map { directory + "/" + $0 }
    }
    return paths.compactMap { path in
      guard let data = FileManager.default.contents(atPath: path), data.count <= maxSize else { return nil }
      return FileImage(name: path, bytes: [UInt8](data))
    }
  }

  private func work(in directory: String) throws {
    let inputs = Inputs(seed: seed ?? 0, images: images([]), encryptingIn: encrypted ? directory : nil)
    try Worker(inputs: inputs, directory: directory).run(from: start, to: count, by: stride) { line in
      FileCalls.append(line: line, to: directory + "/report")
    }
  }

  private func writeInputs(to directory: String) throws {
    let scratch = Self.scratchDirectory()
    defer { FileCalls.removeDirectory(scratch) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let inputs = Inputs(
      seed: seed ?? 0, images: images(file.isEmpty && dir.isEmpty ? try ownFiles(in: scratch) : []), encryptingIn: encrypted ? scratch : nil)
    let budget = TimeBudget(seconds: seconds)
    for number in start..<start + count {
      if budget.isOver { break }
      let input = inputs.make(number)
      let path = directory + "/input-\(number).realm"
      try Data(input.bytes).write(to: URL(fileURLWithPath: path))
      var trial = Trial(path: path, usesSession: true, isThorough: false)
      if encrypted { trial.key = try EncryptedDamager.key() }
      try trial.read()
      print("input-\(number).realm\t\(trial.verdict)\t\(input.image.name)\t\(input.notes.joined(separator: "; "))\t\(trial.firstViolation)")
    }
  }

  private func replayOne(_ path: String) throws {
    let scratch = Self.scratchDirectory()
    defer { FileCalls.removeDirectory(scratch) }
    guard let data = FileManager.default.contents(atPath: path) else { throw ValidationError("\(path) cannot be read.") }
    var problem: String?
    for round in 0..<20 {
      let worker = Worker(inputs: Inputs(seed: 0, images: []), directory: scratch)
      try worker.place([UInt8](data))
      var trial = Trial(path: worker.inputPath, usesSession: round % 2 == 0, isThorough: true)
      if encrypted { trial.key = try EncryptedDamager.key() }
      do {
        try trial.read()
        if round == 0 { print("\(path): \(trial.verdict) \(trial.firstViolation)") }
        var random = SeededGenerator(seed: (seed ?? 0) &+ UInt64(round))
        try trial.write(&random)
      } catch let contradiction as Contradiction {
        problem = problem ?? contradiction.what
      }
    }
    if let problem {
      print("contradiction: \(problem)")
      throw ExitCode(1)
    }
  }

  private func editOne(_ path: String) throws {
    let seed = seed ?? .random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var options = DatabaseOptions.quick
    if encrypted { options.encryptionKey = try EncryptedDamager.key() }
    let database = try Database.open(path: path, options: options)
    let budget = TimeBudget(seconds: seconds)
    for _ in 0..<count {
      if budget.isOver { break }
      try database.write { (group) throws(StorageError) in
        var edits = RandomEdits(group, changesSchema: true)
        try edits.run(1 + random.below(200), &random)
      }
    }
    database.close()
    var trial = Trial(path: path, usesSession: true, isThorough: false)
    trial.key = options.encryptionKey
    try trial.read()
    print("seed \(seed): \(trial.verdict) \(trial.firstViolation)")
    if trial.verdict != .clean { throw ExitCode(1) }
  }
}
