import Foundation
import RealmStorage

/// The inputs of one run: which file is damaged how, determined by the seed and the input's number alone.
struct Inputs {
  let seed: UInt64
  let images: [FileImage]
  /// Small files come more often: they are quick.
  private let weights: [Double]

  init(seed: UInt64, images: [FileImage]) {
    (self.seed, self.images) = (seed, images)
    var sum = 0.0
    weights = images.map {
      sum += 1 / Double(2048 + $0.bytes.count)
      return sum
    }
  }

  func random(_ number: UInt64) -> SeededRandom {
    var mixer = SeededRandom(seed: seed &+ number &* 0xD134_2543_DE82_EF95)
    return SeededRandom(seed: mixer.next())
  }

  func make(_ number: UInt64) -> (image: FileImage, damage: Damager, random: SeededRandom) {
    var random = random(number)
    let place = Double.random(in: 0..<(weights.last ?? 1), using: &random)
    let image = images[weights.firstIndex { $0 > place } ?? 0]
    var damage = Damager(image)
    // Some stay sound: everything must work then.
    if !random.once(in: 100) { damage.apply(&random) }
    return (image, damage, random)
  }
}

/// What a worker process has done so far; the parent reads it at any time.
struct Progress {
  /// The input being tried, and when it began; `.max` when idle.
  var number: UInt64 = .max
  var startedAt: UInt64 = 0
  var doneCount: UInt64 = 0
  var writtenCount: UInt64 = 0
  /// By verdict.
  var refusedCount: UInt64 = 0
  var damagedCount: UInt64 = 0
  var cleanCount: UInt64 = 0

  static let byteCount = 56

  var encoded: [UInt8] {
    [number, startedAt, doneCount, writtenCount, refusedCount, damagedCount, cleanCount].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
  }
  init() {}
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[index * 8 + $1]) << UInt64($1 * 8) } }
    (number, startedAt, doneCount, writtenCount) = (word(0), word(1), word(2), word(3))
    (refusedCount, damagedCount, cleanCount) = (word(4), word(5), word(6))
  }

  static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// Tries inputs in this process, which may trap or hang: the parent notices.
struct Worker {
  let inputs: Inputs
  let directory: String
  /// Kibibytes by which one input may raise the peak of resident memory, beside 64 times its size: the format lets a few bytes stand for
  /// 2^24 zeros, which a write may have to make nodes of 64 MiB of.
  static let memoryAllowance = 512 << 10

  var inputPath: String { directory + "/input.realm" }
  private var statusPath: String { directory + "/status" }

  /// - Returns: what contradictions were met.
  func run(from start: UInt64, to end: UInt64, by stride: UInt64, report: (String) -> Void) throws {
    let status = try FileStorage(path: statusPath, mode: .createIfMissing)
    var progress = Progress(try status.read(Progress.byteCount, at: 0)) ?? Progress()
    var number = start
    while number < end {
      progress.number = number
      progress.startedAt = Progress.now()
      try status.write(progress.encoded, at: 0)
      let peak = Self.peakKibibytes()
      let (image, damage, random) = inputs.make(number)
      do {
        let verdict = try attempt(damage.bytes, number, random, &progress)
        switch verdict {
        case .refused: progress.refusedCount += 1
        case .damaged: progress.damagedCount += 1
        case .clean: progress.cleanCount += 1
        }
      } catch let contradiction as Contradiction {
        report(describe(number, image, damage, contradiction.what))
      }
      let growth = Self.peakKibibytes() - peak
      if growth > Self.memoryAllowance + damage.bytes.count / 16 {
        report(describe(number, image, damage, "peak of memory grew by \(growth) KiB"))
      }
      progress.doneCount += 1
      number += stride
    }
    progress.number = .max
    try status.write(progress.encoded, at: 0)
  }

  private func attempt(_ bytes: [UInt8], _ number: UInt64, _ given: SeededRandom, _ progress: inout Progress) throws -> Verdict {
    var random = given
    let writes = random.once(in: 8)
    var trial = Trial(path: inputPath, usesSession: writes || random.once(in: 16), isThorough: random.once(in: 4))
    try place(bytes)
    try trial.read()
    if writes {
      progress.writtenCount += 1
      try trial.write(&random)
    }
    return trial.verdict
  }

  /// Puts the input where the engine finds it.
  func place(_ bytes: [UInt8]) throws {
    // A new file, so that mappings of the last one do not change.
    _ = FileCalls.remove(inputPath)
    let storage = try FileStorage(path: inputPath, mode: .createNew)
    try storage.write(bytes, at: 0)
  }

  func describe(_ number: UInt64, _ image: FileImage, _ damage: Damager, _ what: String) -> String {
    "input \(number) (seed \(inputs.seed), \(image.name): \(damage.notes.joined(separator: "; "))): \(what)"
  }

  private static func peakKibibytes() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
      _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss
    #else
      _ = unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss >> 10
    #endif
  }
}
