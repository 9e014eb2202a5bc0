import Foundation
import RealmSwift

final class Reading: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var celsius: Double
}

/// `TwoProcesses` starts itself twice, as `TwoProcesses watch FILE COUNT` and `TwoProcesses write FILE COUNT`; try these by hand in two terminals, too.
@main enum TwoProcesses {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]) else { return try demonstrate(count: 5) }
    let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: arguments[2]), objectTypes: [Reading.self])
    if arguments[1] == "watch" { try await watch(configuration, until: count) } else { try write(configuration, count: count) }
  }

  /// Commits a reading every tenth of a second.
  private static func write(_ configuration: Realm.Configuration, count: Int) throws {
    let realm = try Realm(configuration: configuration)
    for number in 1...count {
      try realm.write { realm.create(Reading.self, value: ["number": number, "celsius": 20 + Double(number) / 2] as [String: Any]) }
      print("writer \(getpid()): committed \(number)")
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  /// Prints what others commit, until there are as many readings as asked for.
  @MainActor private static func watch(_ configuration: Realm.Configuration, until count: Int) async throws {
    let readings = try await Realm(configuration: configuration).objects(Reading.self).sorted(by: \.number)
    for await change in readings.changes {
      switch change {
      case .initial: print("watcher \(getpid()): \(readings.count) to begin with")
      case .update(_, _, let insertions, _): for place in insertions { print("watcher \(getpid()): saw \(readings[place].celsius) °C") }
      case .error(let error): throw error
      }
      if readings.count >= count { return }
    }
  }

  private static func demonstrate(count: Int) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("readings-\(UUID().uuidString).realm")
    defer { _ = try? Realm.deleteFiles(for: Realm.Configuration(fileURL: file)) }
    let processes = try ["watch", "write"].map { role in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [role, file.path, String(count)]
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
    }
  }
}
