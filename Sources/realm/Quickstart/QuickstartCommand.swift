import ArgumentParser
import Foundation
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
    commandName: "quickstart", abstract: "A guided tour with real data: model, writes, queries, links, compaction.",
    discussion: """
      Makes quickstart.realm in a directory from the time zone tables of the IANA (public domain): countries, zones with their coordinates,
      and the links between them. Prints what it does, the code that does it, and how long it took.
      Example: realm quickstart /tmp
      """)

  @Argument(help: "Where quickstart.realm is made.") var directory = "."

  func run() throws {
    do { try Quickstart(directory).run() } catch {
      Command.report("error: \(error.localizedDescription)")
      throw ExitCode(3)
    }
  }
}

/// The tour, step by step.
struct Quickstart {
  private let configuration: RealmSwift.Realm.Configuration
  private let path: String
  private let clock = ContinuousClock()

  init(_ directory: String) {
    let url = URL(fileURLWithPath: directory, isDirectory: true).appendingPathComponent("quickstart.realm")
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
    try fill(realm)
    try ask(realm)
    try follow(realm)
    try change(realm)
    realm.invalidate()
    try compact()
    say("\nGo on with:\n  realm schema \(path)\n  realm query \(path) --class TimeZone 'ANY countries.name == \"Brazil\"'\n  realm stat \(path)")
  }

  private func say(_ text: String) { print(text) }

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
        say("    \(country.name): \(country.zones.count) zones")
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
