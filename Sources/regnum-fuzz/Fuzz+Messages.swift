import ArgumentParser
import Randomness
import SyncProtocol

extension Fuzz {
  /// Parses damaged messages of the sync protocol, from both sides and of both kinds of synchronisation; whatever passes must encode to the same bytes
  /// again. Every message goes through the state machines, too, whose stores answer anything: an error is fine, a trap ends the process.
  func damageMessages() throws {
    let seed = seed ?? .random(in: 0 ... .max)
    print("seed \(seed): \(count) damaged messages")
    let samples = SyncMode.allCases.map { (client: MessageSamples.client($0), server: MessageSamples.server($0)) }
    // A run of inputs shares its connections; the runs are what a seed and a number repeat.
    let runLength: UInt64 = 1000
    let budget = TimeBudget(seconds: seconds)
    var (tried, refused): (UInt64, UInt64) = (0, 0)
    for run in Swift.stride(from: start - start % runLength, to: start + count, by: Int(runLength)) {
      var random = SeededGenerator(seed: seed &+ run &* 0x9E37_79B9)
      var trials = SyncMode.allCases.map { MessageTrial(mode: $0) }
      for number in run..<min(run + runLength, start + count) {
        tried += 1
        let mode = Int(number >> 1 & 1)
        let isClient = number.isMultiple(of: 2)
        let bytes = MessageSamples.damaged(isClient ? samples[mode].client : samples[mode].server, using: &random)
        let problem =
          isClient
          ? trials[mode].problem(withClientMessage: bytes, using: &random) : trials[mode].problem(withServerMessage: bytes, using: &random)
        guard let problem else { continue }
        print("input \(number): \(String(decoding: bytes, as: UTF8.self).debugDescription) \(problem)")
        throw ExitCode(1)
      }
      refused += trials.reduce(0) { $0 + $1.refusedCount }
      if budget.isOver { break }
    }
    print("\(tried) tried: \(refused) refused, \(tried - min(tried, refused)) accepted and encoded again")
  }
}
