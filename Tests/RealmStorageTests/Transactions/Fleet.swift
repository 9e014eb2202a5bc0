import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Writers and readers in processes of their own, all on one file, and what they have said so far.
final class Fleet {
  struct Failure: Error { let what: String }
  private enum Phase { case starting, running, left }

  private final class Member {
    let isWriter: Bool
    var child: ChildProcess
    var phase = Phase.starting
    /// It was told to die.
    var isDoomed = false
    var lastWord = Date()
    /// The sequence number of the last acknowledged commit.
    var acknowledged: Int64 = 0
    /// What a reader has seen.
    var seen: (version: UInt64, count: Int64) = (0, 0)

    init(isWriter: Bool, child: ChildProcess) { (self.isWriter, self.child) = (isWriter, child) }
  }

  private let path: String
  private let key: [String]
  private var members: [Member] = []
  private var random: SeededGenerator
  /// Nobody may be silent for longer.
  private let patienceSeconds: Double = 60
  private(set) var commitCount = 0
  private(set) var readCount = 0
  private(set) var killCount = 0
  private(set) var criticalDeathCount = 0
  private(set) var restartCount = 0
  /// Somebody was refused because a process died at the critical moment.
  private(set) var needsRestart = false

  /// - Parameter key: arguments that make agents encrypt the file.
  init(path: String, key: [String] = [], writers: Int, readers: Int, seed: UInt64) throws {
    self.path = path
    self.key = key
    random = SeededGenerator(seed: seed)
    for index in 0..<writers + readers {
      members.append(Member(isWriter: index < writers, child: try launch(index, isWriter: index < writers)))
    }
  }

  var count: Int { members.count }
  var writers: Range<Int> { 0..<members.filter(\.isWriter).count }

  private func launch(_ index: Int, isWriter: Bool) throws -> ChildProcess {
    let seed = "\(random.next() >> 1)"
    return try ChildProcess.agent(key + (isWriter ? ["write-rounds", path, "\(index)", seed] : ["read-rounds", path, seed]))
  }

  private func name(_ index: Int) -> String { (members[index].isWriter ? "writer " : "reader ") + "\(index)" }

  // MARK: Listening

  /// Listens to everybody for a while.
  func listen(milliseconds: Int) throws {
    let end = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
    repeat { try listenOnce(milliseconds: max(0, Int(end.timeIntervalSinceNow * 1000))) } while Date() < end
  }

  private func listenOnce(milliseconds: Int) throws {
    var descriptors = members.map { pollfd(fd: $0.phase == .left ? -1 : $0.child.outputDescriptor, events: Int16(POLLIN), revents: 0) }
    _ = poll(&descriptors, nfds_t(descriptors.count), Int32(min(milliseconds, 1000)))
    for (index, descriptor) in descriptors.enumerated() {
      if descriptor.revents != 0 {
        let lines = try members[index].child.linesAtHand()
        if lines.isEmpty, descriptor.revents & Int16(POLLHUP) != 0, members[index].isDoomed, try members[index].child.waitForEnd() == 128 + 9 {
          members[index].phase = .left
          killCount += 1
          continue
        }
        if lines.isEmpty, descriptor.revents & Int16(POLLHUP) != 0 {
          throw Failure(what: "\(name(index)) ended by itself with \(try members[index].child.waitForEnd())")
        }
        for line in lines { try hear(line, from: index) }
      }
      let silence = Date().timeIntervalSince(members[index].lastWord)
      if members[index].phase != .left, silence > patienceSeconds { throw Failure(what: "\(name(index)) hangs: \(silence) s of silence") }
    }
  }

  private func hear(_ line: String, from index: Int) throws {
    let member = members[index]
    member.lastWord = Date()
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "started" where member.isWriter:
      guard let sequence = Int64(words[2]) else { throw Failure(what: line) }
      // A commit may have happened whose acknowledgement was killed.
      guard sequence == member.acknowledged || sequence == member.acknowledged + 1 else {
        throw Failure(what: "\(name(index)) acknowledged \(member.acknowledged), the file says \(sequence)")
      }
      member.acknowledged = sequence
      member.phase = .running
    case "started": member.phase = .running
    case "committed":
      guard Int64(words[1]) == member.acknowledged + 1 else { throw Failure(what: "\(name(index)): \(line) after \(member.acknowledged)") }
      member.acknowledged += 1
      commitCount += 1
    case "read":
      guard let version = UInt64(words[1]), let count = Int64(words[2]), version >= member.seen.version, count >= member.seen.count else {
        throw Failure(what: "\(name(index)): \(line) after \(member.seen)")
      }
      member.seen = (version, count)
      readCount += 1
    case "left": member.phase = .left
    case "restart":
      member.phase = .left
      needsRestart = true
    default: throw Failure(what: "\(name(index)): \(line)")
    }
  }

  // MARK: Killing

  /// SIGKILL for all of them at once; what they said before still counts.
  func kill(_ indices: [Int]) throws {
    for index in indices { members[index].child.send(SIGKILL) }
    for index in indices {
      killCount += 1
      try members[index].child.waitForEnd()
      for line in try members[index].child.lastLines() { try hear(line, from: index) }
      members[index].phase = .left
    }
  }

  /// Starts those that were killed again.
  func start(_ indices: [Int]) throws {
    for index in indices {
      members[index].child = try launch(index, isWriter: members[index].isWriter)
      members[index].phase = .starting
      members[index].isDoomed = false
      members[index].lastWord = Date()
    }
  }

  /// Makes a writer die at the one moment that cannot be repaired, if it comes that far.
  /// - Returns: whether it did.
  func killAtTheCriticalMoment(_ index: Int) throws -> Bool {
    guard members[index].phase == .running else { return false }
    members[index].isDoomed = true
    members[index].child.say("die-critical")
    while members[index].phase != .left { try listenOnce(milliseconds: 1000) }
    members[index].isDoomed = false
    guard members[index].child.isGone else { return false }
    criticalDeathCount += 1
    return true
  }

  // MARK: The session

  /// Everybody leaves, whatever they do.
  func pause() throws {
    for member in members where member.phase != .left { member.child.say("pause") }
    while members.contains(where: { $0.phase != .left }) { try listenOnce(milliseconds: 1000) }
    if needsRestart { restartCount += 1 }
    needsRestart = false
  }

  func resume() {
    for member in members {
      member.phase = .starting
      member.lastWord = Date()
      member.child.say("resume")
    }
  }

  /// Waits until everybody works again.
  func awaitStart() throws {
    while members.contains(where: { $0.phase == .starting }) && !needsRestart { try listenOnce(milliseconds: 1000) }
  }

  /// Compares the file, which nobody has open, with what was acknowledged.
  /// - Parameter wereKilled: commits may have happened whose acknowledgement was not heard.
  func checkLedger(wereKilled: Bool) throws {
    let checker = try ChildProcess.agent(key + ["ledger-check", path])
    guard let line = try checker.line(within: 60), line.hasPrefix("ledger ") else { throw Failure(what: "the checker says nothing or an error") }
    try checker.waitForEnd()
    var found: [Int: Int64] = [:]
    for word in line.split(separator: " ").dropFirst(2) {
      let parts = word.split(separator: ":")
      found[Int(parts[0])!] = Int64(parts[1])!
    }
    for index in writers {
      let (said, there) = (members[index].acknowledged, found[index] ?? 0)
      guard there == said || (wereKilled && there == said + 1) else {
        throw Failure(what: "\(name(index)) acknowledged \(said), the file says \(there)")
      }
    }
  }
}
