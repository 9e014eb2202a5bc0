import Foundation
import Randomness
import RealmStorage

/// The inputs of one run: which file is damaged how, determined by the seed and the input's number alone.
struct Inputs {
  let seed: UInt64
  let images: [FileImage]
  /// Small files come more often: they are quick.
  private let weights: [Double]
  /// The images as encrypted files; empty if plain files are to be damaged.
  private let encrypted: [[UInt8]]
  private let scratchPath: String

  /// - Parameter scratch: a directory, if files are to be encrypted.
  init(seed: UInt64, images: [FileImage], encryptingIn scratch: String? = nil) {
    (self.seed, self.images) = (seed, images)
    let path = (scratch ?? "") + "/encrypting"
    scratchPath = path
    encrypted = scratch == nil ? [] : images.enumerated().map { Inputs.encrypt($1.bytes, isRewritten: $0 % 2 == 1, path) }
    var sum = 0.0
    weights = images.map {
      sum += 1 / Double(2048 + $0.bytes.count)
      return sum
    }
  }

  func random(_ number: UInt64) -> SeededGenerator {
    var mixer = SeededGenerator(seed: seed &+ number &* 0xD134_2543_DE82_EF95)
    return SeededGenerator(seed: mixer.next())
  }

  var isEncrypted: Bool { !encrypted.isEmpty }

  /// One damaged file.
  struct Input {
    let image: FileImage
    let bytes: [UInt8]
    let notes: [String]
    /// An encrypted file in which no damage may go unnoticed: the number of its image.
    let mustEqual: Int?
    /// What decides everything else about this input.
    let random: SeededGenerator
  }

  func make(_ number: UInt64) -> Input {
    var random = random(number)
    let place = Double.random(in: 0..<(weights.last ?? 1), using: &random)
    let index = weights.firstIndex { $0 > place } ?? 0
    let image = images[index]
    // Some stay sound: everything must work then.
    let isSound = random.once(in: 100)
    guard isEncrypted else {
      var damage = Damager(image)
      if !isSound { damage.apply(&random) }
      return Input(image: image, bytes: damage.bytes, notes: damage.notes, mustEqual: nil, random: random)
    }
    // Somebody who has the key can forge anything.
    if !isSound, random.once(in: 3) {
      var damage = Damager(image)
      damage.apply(&random)
      let bytes = Self.encrypt(damage.bytes, isRewritten: random.once(in: 2), scratchPath)
      return Input(image: image, bytes: bytes, notes: ["with the key"] + damage.notes, mustEqual: nil, random: random)
    }
    var damage = EncryptedDamager(encrypted[index])
    if !isSound { damage.apply(&random) }
    return Input(
      image: image, bytes: damage.bytes, notes: damage.notes, mustEqual: damage.isDetectable ? index : nil, random: random)
  }

  /// The sound encrypted file of an image.
  func sound(_ index: Int) -> [UInt8] { encrypted[index] }

  private static func encrypt(_ bytes: [UInt8], isRewritten: Bool, _ path: String) -> [UInt8] {
    do throws(StorageError) { return try EncryptedDamager.encrypt(bytes, isRewritten: isRewritten, path: path) } catch {
      preconditionFailure("an image could not be encrypted: \(error)")
    }
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
final class Worker {
  let inputs: Inputs
  let directory: String
  /// By image: the contents of the sound encrypted file.
  private var soundContents: [Int: Int] = [:]

  init(inputs: Inputs, directory: String) {
    self.inputs = inputs
    self.directory = directory
  }

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
      let input = inputs.make(number)
      do {
        let verdict = try attempt(input, &progress)
        switch verdict {
        case .refused: progress.refusedCount += 1
        case .damaged: progress.damagedCount += 1
        case .clean: progress.cleanCount += 1
        }
      } catch let contradiction as Contradiction {
        report(describe(number, input, contradiction.what))
      }
      let growth = Self.peakKibibytes() - peak
      if growth > Self.memoryAllowance + input.bytes.count / 16 {
        report(describe(number, input, "peak of memory grew by \(growth) KiB"))
      }
      progress.doneCount += 1
      number += stride
    }
    progress.number = .max
    try status.write(progress.encoded, at: 0)
  }

  private func attempt(_ input: Inputs.Input, _ progress: inout Progress) throws -> Verdict {
    var random = input.random
    let writes = random.once(in: 8)
    var trial = Trial(path: inputPath, usesSession: writes || random.once(in: 16), isThorough: random.once(in: 4))
    if inputs.isEncrypted {
      trial.key = try EncryptedDamager.key()
      if random.once(in: 32) { try expectRefusal(&random, input) }
    }
    try place(input.bytes)
    try trial.read()
    if let index = input.mustEqual, let contents = trial.contents, try contents != soundContents(index) {
      throw Contradiction(what: "damage went unnoticed: other contents are read")
    }
    if writes {
      progress.writtenCount += 1
      try trial.write(&random)
    }
    return trial.verdict
  }

  private func soundContents(_ index: Int) throws -> Int? {
    if let known = soundContents[index] { return known }
    try place(inputs.sound(index))
    // Files of older formats are only read in a session.
    var trial = Trial(path: inputPath, usesSession: true, isThorough: false)
    trial.key = try EncryptedDamager.key()
    try trial.read()
    guard let contents = trial.contents else { throw Contradiction(what: "the sound file cannot be read: \(trial.firstViolation)") }
    soundContents[index] = contents
    return contents
  }

  /// Nothing opens with a key of which one bit is wrong.
  private func expectRefusal(_ random: inout SeededGenerator, _ input: Inputs.Input) throws {
    try place(input.bytes)
    var trial = Trial(path: inputPath, usesSession: random.once(in: 4), isThorough: false)
    trial.key = try EncryptedDamager.wrongKey(&random)
    try trial.read()
    if trial.verdict != .refused && !input.bytes.isEmpty { throw Contradiction(what: "a wrong key was accepted") }
  }

  /// Puts the input where the engine finds it.
  func place(_ bytes: [UInt8]) throws {
    // A new file, so that mappings of the last one do not change.
    _ = FileCalls.remove(inputPath)
    let storage = try FileStorage(path: inputPath, mode: .createNew)
    try storage.write(bytes, at: 0)
  }

  func describe(_ number: UInt64, _ input: Inputs.Input, _ what: String) -> String {
    "input \(number) (seed \(inputs.seed), \(input.image.name): \(input.notes.joined(separator: "; "))): \(what)"
  }

  private static func peakKibibytes() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
      _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss
    #elseif canImport(Musl)
      _ = unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      _ = unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss >> 10
    #endif
  }
}
