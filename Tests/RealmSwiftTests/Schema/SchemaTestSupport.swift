import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// A realm file in a directory of its own, which goes with it.
final class SchemaFile {
  let path: String
  private let directory = TestDirectory()

  /// - Parameter fixture: a file of the original engine to start with a copy of.
  init(copyOf fixture: String? = nil) throws {
    path = directory.file()
    if let fixture { _ = try directory.copy("realm-core/\(fixture).realm") }
  }

  init(copyOfFile original: String) throws {
    path = directory.file()
    try FileManager.default.copyItem(atPath: original, toPath: path)
  }

  func database() throws -> Database { try Database.open(path: path) }

  func read<Result>(_ body: (Group) throws -> Result) throws -> Result {
    let database = try database()
    defer { database.close() }
    return try body(database.snapshot().openGroup())
  }

  /// Commits what `body` does; cancels when it throws.
  func write<Result>(_ body: (Group) throws -> Result) throws -> Result {
    let database = try database()
    defer { database.close() }
    let transaction = try database.beginWrite()
    do {
      let group = try transaction.openGroup()
      let result = try body(group)
      try transaction.commit(group)
      return result
    } catch {
      transaction.cancel()
      throw error
    }
  }

  /// Writes a schema as the first opening does.
  func create(_ schema: Schema, version: UInt64 = 0) throws {
    try write { group in try SchemaUpdate.run(.of(group, schema, version: version), schema, version: version, in: group) }
  }

  /// Opens with another schema, as a program does.
  func update(_ schema: Schema, version: UInt64, _ block: ((MigrationSteps) throws -> Void)? = nil) throws {
    try write { group in
      let decision = try SchemaDecision.of(group, schema, version: version)
      try SchemaUpdate.run(decision, schema, version: version, in: group, block: block)
    }
  }

  /// What our own check and the independent reader have to say against the file.
  func problems() throws -> [String] {
    let database = try database()
    let snapshot = try database.snapshot()
    var lines = Verification.run(snapshot.space, top: snapshot.topRef, format: 24).violations
    database.close()
    if IndependentTools.areThere {
      let runs = [
        try IndependentTools.run("realm_inspect", "check", "--quiet", path), try IndependentTools.run("realm_txlog", "dump", path),
      ]
      lines += runs.filter { $0.status != 0 }.map { $0.output + $0.errors }
    }
    return lines
  }
}

// MARK: Schemas in few words

extension Property {
  static func int(_ name: String, optional: Bool = false, indexed: Bool = false) -> Property {
    Property(name: name, type: .int, isOptional: optional, isIndexed: indexed)
  }
  static func string(_ name: String, optional: Bool = false, indexed: Bool = false) -> Property {
    Property(name: name, type: .string, isOptional: optional, isIndexed: indexed)
  }
  static func key(_ name: String, _ type: PropertyType = .int) -> Property { Property(name: name, type: type, isPrimary: true) }
  static func link(_ name: String, _ target: String) -> Property {
    Property(name: name, type: .object, isOptional: true, objectClassName: target)
  }
  static func list(_ name: String, of target: String) -> Property {
    Property(name: name, type: .object, collection: .list, objectClassName: target)
  }
  static func map(_ name: String, of target: String) -> Property {
    Property(name: name, type: .object, collection: .dictionary, isOptional: true, objectClassName: target)
  }
  static func origins(_ name: String, _ target: String, _ origin: String) -> Property {
    Property(name: name, type: .linkingObjects, objectClassName: target, linkOriginPropertyName: origin)
  }
}

extension ObjectSchema {
  init(_ name: String, embedded: Bool = false, asymmetric: Bool = false, _ properties: Property...) {
    self.init(
      className: name, properties: properties.filter { !$0.isComputed }, computedProperties: properties.filter(\.isComputed),
      isEmbedded: embedded, isAsymmetric: asymmetric)
  }
}
