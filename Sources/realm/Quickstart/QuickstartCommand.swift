import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage
import RealmSwift

/// A country of the time zone tables.
final class Country: RealmSwift.Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted(indexed: true) var name: String
  @Persisted(originProperty: "countries") var zones: LinkingObjects<TimeZone>
}

/// Where a zone lies, in degrees.
final class Position: RealmSwift.EmbeddedObject {
  @Persisted var latitude: Double
  @Persisted var longitude: Double
}

/// A time zone, with the countries that use it.
final class TimeZone: RealmSwift.Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var position: Position?
  @Persisted var comment: String?
  @Persisted var countries: List<Country>
}

struct QuickstartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quickstart", abstract: "A guided tour with real data: model, writes, queries, links, live changes, compaction.",
    discussion: """
      Makes quickstart.realm in a directory of its own from the time zone tables of the IANA (public domain): countries, zones with their
      coordinates, and the links between them. Prints what it does, the code that does it, and how long it took. Replaces what an earlier tour
      made, and nothing else.
      Example: realm quickstart /tmp/tour
      """)

  @Argument(help: "The directory to make. If it holds other files, realm-quickstart is made in it.", completion: .directory) var directory =
    QuickstartDirectory.name

  func run() throws {
    Interruption.watch()
    var made: QuickstartDirectory?
    do {
      let directory = try QuickstartDirectory(directory)
      made = directory
      try Quickstart(directory).run()
    } catch let problem as QuickstartProblem {
      if Interruption.isRequested, let made { try? FileManager.default.removeItem(atPath: made.path) }
      Command.report("error: \(problem.message)")
      throw ExitCode(Interruption.isRequested ? Diagnostics.Status.failed : Diagnostics.Status.unreadable)
    } catch let error as UnheardTour {
      try Command.run(Diagnostics.standardOutput) { () throws(StorageError) in throw Diagnostics.unreported(error.reason) }
    } catch {
      let advice = "the tour ended before its end; mend that and run it again, which replaces what it has made"
      Command.report("error: \(made?.path ?? directory): \(error.localizedDescription); \(advice)")
      throw ExitCode(Diagnostics.Status.failed)
    }
  }
}

/// Why there is no tour, in one line.
struct QuickstartProblem: Error {
  let message: String
}

/// What the tour says cannot be written.
private struct UnheardTour: Error {
  let reason: StorageError
}

/// Says what the tour does, until that cannot be written.
private final class Guide {
  private(set) var failure: StorageError?

  func say(_ text: String) {
    if failure != nil { return }
    do throws(StorageError) { try Command.answer(text + "\n") } catch { failure = error }
  }
}

/// Where the tour may write.
struct QuickstartDirectory {
  static let name = "realm-quickstart"
  /// Keeps what the tour makes out of commits, and tells the directory from others.
  private static let mark = "# Made by 'realm quickstart', which may replace the files beside this one.\n*\n"
  let path: String

  /// Makes the directory if need be.
  init(_ given: String) throws {
    let files = FileManager.default
    func isOurs(_ path: String) -> Bool {
      let names = ((try? files.contentsOfDirectory(atPath: path)) ?? []).filter { $0 != ".DS_Store" }
      return names.isEmpty || files.contents(atPath: path + "/.gitignore") == Data(Self.mark.utf8)
    }
    var isDirectory: ObjCBool = false
    let isThere = unsafe files.fileExists(atPath: given, isDirectory: &isDirectory)
    var path = given
    if isThere, !isDirectory.boolValue { throw QuickstartProblem(message: "\(given): is no directory; name one, or none at all") }
    if isThere, !isOurs(given) { path = given + "/" + Self.name }
    guard !files.fileExists(atPath: path) || isOurs(path) else {
      throw QuickstartProblem(message: "\(path): holds other files; name another directory")
    }
    do {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(Self.mark.utf8).write(to: URL(fileURLWithPath: path + "/.gitignore"))
    } catch {
      let reason =
        switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace?: "the disk is full; free some space"
        case .fileWriteNoPermission?: "the directory around it may not be written to; change its permissions"
        default: "the system does not make directories and files there"
        }
      throw QuickstartProblem(message: "\(path): cannot be made: \(reason), or name another directory")
    }
    self.path = path
  }
}

/// The tour, step by step.
struct Quickstart {
  private let configuration: RealmSwift.Realm.Configuration
  private let path: String
  private let clock = ContinuousClock()
  private let guide = Guide()

  init(_ directory: QuickstartDirectory) {
    let url = URL(fileURLWithPath: directory.path, isDirectory: true).appendingPathComponent("quickstart.realm")
    path = url.path
    configuration = RealmSwift.Realm.Configuration(fileURL: url, objectTypes: [Country.self, TimeZone.self, Position.self])
  }

  func run() throws {
    _ = try RealmSwift.Realm.deleteFiles(for: configuration)
    say("A realm is a file. This tour makes \(path).\n")
    try step("The model: Swift classes whose stored properties are marked @Persisted.", "let realm = try Realm(configuration: configuration)") {
      for schema in try RealmSwift.Realm(configuration: configuration).schema.objectSchema {
        say("    \(schema.className): " + schema.properties.map(\.name).joined(separator: ", "))
      }
    }
    let realm = try RealmSwift.Realm(configuration: configuration)
    for part in [fill, ask, follow, change, live] {
      try part(realm)
      if Interruption.isRequested { throw QuickstartProblem(message: "\(path): interrupted; what was made is removed") }
    }
    realm.invalidate()
    try compact()
    let tool = Self.quoted(CommandLine.arguments.first ?? "realm")
    let file = Self.quoted(path)
    say("\nGo on with:")
    for command in ["schema \(file)", "query \(file) --class TimeZone 'ANY countries.name == \"Brazil\"'", "stat \(file)"] {
      say("  \(tool) \(command)")
    }
    if let failure = guide.failure { throw UnheardTour(reason: failure) }
  }

  /// As a shell takes it for one word.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x2B && $0 <= 0x39 || $0 == UInt8(ascii: "_") }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private func live(_ realm: RealmSwift.Realm) throws {
    step("Live results: told of what others write, here another thread.", "zones.observe { changes in … }") {
      var hasHeard = false
      let token = realm.objects(TimeZone.self).observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
        say("    heard of \(insertions.count) inserted, \(modifications.count) modified, \(deletions.count) deleted")
        hasHeard = true
      }
      defer { token.invalidate() }
      let configuration = configuration
      let writer = Thread {
        do {
          let realm = try RealmSwift.Realm(configuration: configuration)
          try realm.write {
            realm.create(TimeZone.self, value: ["name": "Moon/Tranquility_Base"])
            realm.object(ofType: TimeZone.self, forPrimaryKey: "Europe/Zurich")?.comment = "written by another thread"
          }
        } catch { Command.report("error: \(error.localizedDescription)") }
      }
      // The first report, of what there is, comes before the write.
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
      writer.start()
      let end = Date(timeIntervalSinceNow: 10)
      while !hasHeard, Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01)) }
    }
  }

  private func say(_ text: String) { guide.say(text) }

  private func step(_ title: String, _ code: String, _ body: () throws -> Void) rethrows {
    say("\n\(title)\n    \(code)")
    let start = clock.now
    try body()
    let milliseconds = (clock.now - start) / .milliseconds(1)
    say(String(format: "    (%.1f ms)", milliseconds))
  }

  private func fill(_ realm: RealmSwift.Realm) throws {
    let countries = try TimeZoneTables.countries()
    let zones = try TimeZoneTables.zones()
    try step("Writing: one transaction, all or nothing.", "try realm.write { realm.add(zone) }") {
      try realm.write {
        for country in countries { realm.create(Country.self, value: [country.code, country.name]) }
        for row in zones {
          let zone = TimeZone()
          zone.name = row.name
          zone.comment = row.comment
          zone.position = Position(value: [row.latitude, row.longitude])
          realm.add(zone)
          zone.countries.append(objectsIn: row.countryCodes.compactMap { realm.object(ofType: Country.self, forPrimaryKey: $0) })
        }
      }
      say("    \(realm.objects(Country.self).count) countries, \(realm.objects(TimeZone.self).count) zones")
    }
  }

  private func ask(_ realm: RealmSwift.Realm) throws {
    step("Asking, with the compiler's help.", "realm.objects(TimeZone.self).where { $0.position.latitude < -40 }.sorted(by: \\.name)") {
      for zone in realm.objects(TimeZone.self).where({ $0.position.latitude < -40 }).sorted(by: \.name).prefix(5) { say("    \(zone.name)") }
    }
    step("Asking with a format string.", "realm.objects(Country.self).filter(\"zones.@count > %@\", 8)") {
      for country in realm.objects(Country.self).filter("zones.@count > %@", 8).sorted(byKeyPath: "name") {
        say("    \(country.name): \(NumberText.count(country.zones.count, "zone"))")
      }
    }
  }

  private func follow(_ realm: RealmSwift.Realm) throws {
    step("Following links, forwards and back.", "zone.countries.first?.zones") {
      guard let zone = realm.object(ofType: TimeZone.self, forPrimaryKey: "Europe/Zurich") else { return }
      let names = zone.countries.map(\.name).joined(separator: ", ")
      say("    \(zone.name) is the time of \(names)")
      if let country = zone.countries.first { say("    zones of \(country.name): " + country.zones.map(\.name).joined(separator: ", ")) }
    }
  }

  private func change(_ realm: RealmSwift.Realm) throws {
    try step("Snapshots: a frozen object keeps its version while others write.", "let frozen = country.freeze()") {
      guard let country = realm.object(ofType: Country.self, forPrimaryKey: "CH") else { return }
      let frozen = country.freeze()
      try realm.write { country.name = "Switzerland (written just now)" }
      say("    live: \(country.name); frozen: \(frozen.name)")
    }
  }

  private func compact() throws {
    try step("Compaction: a copy without free space.", "try realm.writeCopy(toFile: url)") {
      let copy = URL(fileURLWithPath: path + ".compacted")
      try? FileManager.default.removeItem(at: copy)
      try RealmSwift.Realm(configuration: configuration).writeCopy(toFile: copy)
      func size(_ path: String) -> Int { ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0 }
      say("    \(size(path)) bytes before, \(size(copy.path)) bytes after")
      try FileManager.default.removeItem(at: copy)
    }
  }
}
