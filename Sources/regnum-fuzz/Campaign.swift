import Foundation
import RealmStorage

/// Runs worker processes, watches them, and keeps what made trouble.
final class Campaign {
  private let options: Fuzz
  private let seed: UInt64
  private let scratch: String
  private let ownFiles: [String]
  private lazy var inputs = Inputs(seed: seed, images: options.images(ownFiles), encryptingIn: options.encrypted ? scratch : nil)
  private var findingCount = 0
  private static let findingLimit = 100

  init(options: Fuzz, seed: UInt64, scratch: String, ownFiles: [String]) {
    (self.options, self.seed, self.scratch, self.ownFiles) = (options, seed, scratch, ownFiles)
  }

  private final class Job {
    let directory: String
    /// Inputs are dealt out in turn.
    let first: UInt64
    var process: Process?
    var readReportByteCount = 0
    /// Why we ended it.
    var sentence: String?
    var progress = Progress()

    init(directory: String, first: UInt64) { (self.directory, self.first) = (directory, first) }
  }

  /// - Returns: number of findings.
  func run() throws -> Int {
    guard !inputs.images.isEmpty else {
      print("there is no file to damage")
      return 1
    }
    print("seed \(seed), \(inputs.images.count) files, inputs \(options.start)..<\(options.start + options.count)")
    let budget = TimeBudget(seconds: options.seconds)
    var jobs: [Job] = []
    for index in 0..<UInt64(options.jobs) {
      let job = Job(directory: scratch + "/job\(index)", first: options.start + index)
      try FileManager.default.createDirectory(atPath: job.directory, withIntermediateDirectories: true)
      jobs.append(job)
      try start(job, from: job.first)
    }
    var lastPrinted = Progress.now()
    while jobs.contains(where: { $0.process != nil }) {
      Thread.sleep(forTimeInterval: 0.02)
      for job in jobs { try watch(job) }
      let now = Progress.now()
      if findingCount >= Self.findingLimit || budget.isOver { for job in jobs { stop(job) } }
      if now - lastPrinted > 30_000_000_000 {
        lastPrinted = now
        summarize(jobs, budget, prefix: "… ")
      }
    }
    summarize(jobs, budget, prefix: "")
    return findingCount
  }

  private func start(_ job: Job, from number: UInt64) throws {
    let end = options.start + options.count
    guard number < end else { return job.process = nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.ownPath)
    var arguments = ["--worker", job.directory, "--seed", "\(seed)", "--start", "\(number)", "--count", "\(end)", "--stride", "\(options.jobs)"]
    arguments += ["--max-size", "\(options.maxSize)"]
    if options.encrypted { arguments.append("--encrypted") }
    for path in options.file + ownFiles { arguments += ["--file", path] }
    for path in options.dir { arguments += ["--dir", path] }
    process.arguments = arguments
    // A worker that is stopped while it writes a backtrace would leave the program behind that does so, and this one waiting for it. `--replay`
    // writes one.
    var environment = ProcessInfo.processInfo.environment
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
    process.environment = environment
    let errors = job.directory + "/errors"
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardInput = FileHandle.nullDevice
    job.sentence = nil
    // What the last process was trying is over.
    job.progress.number = .max
    job.progress.startedAt = 0
    try FileStorage(path: job.directory + "/status", mode: .createIfMissing).write(job.progress.encoded, at: 0)
    try process.run()
    job.process = process
  }

  private func watch(_ job: Job) throws {
    guard let process = job.process else { return }
    readReport(job)
    if let bytes = FileManager.default.contents(atPath: job.directory + "/status"), let progress = Progress([UInt8](bytes)) {
      job.progress = progress
    }
    if process.isRunning {
      let isBusy = job.progress.number != .max && job.progress.startedAt > 0
      if isBusy, Double(Progress.now()) - Double(job.progress.startedAt) > options.timeLimit * 1e9 {
        end(job, process, "hang: not done after \(options.timeLimit) s")
      } else if Self.residentMebibytes(process.processIdentifier) > options.memoryLimit {
        end(job, process, "more than \(options.memoryLimit) MiB of memory")
      }
      return
    }
    job.process = nil
    readReport(job)
    if process.terminationReason == .exit && process.terminationStatus == 0 && job.sentence == nil { return }
    if job.sentence == "stopped" { return }
    let errors = FileManager.default.contents(atPath: job.directory + "/errors").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
    let number = job.progress.number
    job.progress.doneCount += 1
    guard number != .max else {
      findingCount += 1
      return print("a worker ended with \(how) \(process.terminationStatus) outside of an input:\n\(errors.suffix(3000))")
    }
    let input = inputs.make(number)
    let worker = Worker(inputs: inputs, directory: job.directory)
    record(worker.describe(number, input, job.sentence ?? "ended with \(how) \(process.terminationStatus)"), input.bytes, number)
    print(Self.excerpt(errors))
    try start(job, from: number + UInt64(options.jobs))
  }

  private func end(_ job: Job, _ process: Process, _ why: String) {
    job.sentence = job.sentence ?? why
    kill(process.processIdentifier, SIGKILL)
  }
  private func stop(_ job: Job) {
    guard let process = job.process, process.isRunning else { return }
    end(job, process, "stopped")
  }

  /// Contradictions that the worker survived.
  private func readReport(_ job: Job) {
    guard let data = FileManager.default.contents(atPath: job.directory + "/report"), data.count > job.readReportByteCount else { return }
    let text = String(decoding: data[job.readReportByteCount...], as: UTF8.self)
    job.readReportByteCount = data.count
    for line in text.split(separator: "\n") {
      guard let number = UInt64(line.dropFirst(6).prefix { $0.isNumber }) else { continue }
      record(String(line), inputs.make(number).bytes, number)
    }
  }

  private func record(_ text: String, _ bytes: [UInt8], _ number: UInt64) {
    findingCount += 1
    try? FileManager.default.createDirectory(atPath: options.findings, withIntermediateDirectories: true)
    let path = options.findings + "/\(seed)-\(number).realm"
    try? Data(bytes).write(to: URL(fileURLWithPath: path))
    print(text + "; kept as \(path)")
  }

  private func summarize(_ jobs: [Job], _ budget: TimeBudget, prefix: String) {
    let all = jobs.map(\.progress)
    let done = all.reduce(0) { $0 + $1.doneCount }
    let seconds = budget.elapsedSeconds
    print(
      "\(prefix)\(done) inputs in \(Int(seconds)) s (\(Int(Double(done) / max(seconds, 0.001))) a second): "
        + "\(all.reduce(0) { $0 + $1.refusedCount }) refused, \(all.reduce(0) { $0 + $1.damagedCount }) damaged, "
        + "\(all.reduce(0) { $0 + $1.cleanCount }) clean, \(all.reduce(0) { $0 + $1.writtenCount }) also written to; \(findingCount) findings")
  }

  /// The part of a crash report that tells most.
  private static func excerpt(_ errors: String) -> String {
    let lines = errors.split(separator: "\n").filter { line in
      line.contains("Fatal") || line.contains("ERROR") || line.contains(" in ") || line.contains("Crash") || line.contains("#")
    }
    return lines.prefix(14).map { "    " + $0 }.joined(separator: "\n")
  }

  private static var ownPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  private static func residentMebibytes(_ process: Int32) -> Int {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/statm") else { return 0 }
    let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 >> 20 : 0
  }
}
