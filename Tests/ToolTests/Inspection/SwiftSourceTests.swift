import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Model classes that are generated from files.
@Suite(.mustEnd) struct SwiftSourceTests {
  let directory = TestDirectory()

  /// Lets the compiler check a source against the SDK of this build.
  private func check(_ source: String) throws {
    let path = try directory.write(Array(source.utf8), as: "Models.swift")
    let modules = PackageLocation.productDirectory + "/Modules"
    // What the engine is built with has modules of C.
    let sources = PackageLocation.productDirectory + "/../../checkouts/swift-crypto/Sources/"
    let folders = ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []).map { sources + $0 + "/include" }
    let includes = folders.filter { FileManager.default.fileExists(atPath: $0 + "/module.modulemap") }.flatMap { ["-I", $0] }
    let run = try ToolRun(
      path: "swiftc", includes + ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", modules, "-parse-as-library", path], within: 300)
    #expect(run.status == 0, "\(run.errors)\n\(source)")
  }

  private static let names = [
    "class", "self", "init", "Type", "description", "realm", "with space", "1st", "", "a-b", "a b", "größe", "gro\u{308}ße", "名前", "😀",
    "\"quoted\\\"", "new\nline",
    "String", "type", "hashValue", "hash", "in", "$0", "_", "__", "a_b", "id", "_id", "throwing", "objectWillChange", "some", "any", "each",
  ]

  @Test func whateverNamesAFileHasItsModelsCompile() throws {
    let path = directory.file()
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      var tables: [Table] = []
      for name in Self.names + ["Int", "Object", "Data", "List", "Dog", "dog", "RealmSwift", "Protocol", "Realm", "Results"] where !name.isEmpty {
        let table = try group.addTable("class_" + name)
        for property in Self.names where !property.isEmpty { try table.addColumn(ColumnDefinition(property, .string, .nullable)) }
        if let last = tables.last {
          try table.addColumn(ColumnDefinition("my link", .link, .nullable, target: last.key))
          try table.addColumn(ColumnDefinition("my.links", .link, .list, target: last.key))
        }
        tables.append(table)
      }
      let other = try group.addTable("no_class")
      if let table = tables.first { try table.addColumn(ColumnDefinition("elsewhere", .link, .nullable, target: other.key)) }
    }
    database.close()
    let run = try ToolRun.realm("schema", path, "--swift")
    run.expect(status: 0)
    #expect(run.output.contains("override class func propertiesMapping()"))
    #expect(run.output.contains("class Dog: Object {"))
    // What is an identifier keeps its name, also if others become the same.
    #expect(run.output.contains("  @Persisted var a_b: String?\n") && run.output.contains("\"a_b_\": \"a-b\""))
    #expect(run.output.contains("  @Persisted var type: String?\n"))
    // The compiler makes `_id` of `id`, too.
    #expect(run.output.contains("  @Persisted var id: String?\n") && run.output.contains("\"_id_\": \"_id\""))
    // Publishers have it.
    #expect(run.output.contains("  @Persisted var objectWillChange_: String?\n"))
    #expect(run.output.contains("class `some`: Object {") && run.output.contains("  @Persisted var my_link: `any`?\n"))
    #expect(run.output.contains("class Realm_: Object {") && run.output.contains("class Results_: Object {"))
    #expect(run.output.contains("// \"elsewhere\" has a type that Swift models do not have."))
    try check(run.output)
  }

  @Test(arguments: ["realm-core/embedded_all.realm", "realm-core/props_all.realm", "realm-core/links_all.realm"])
  func theModelsOfAFixtureCompile(_ name: String) throws {
    let path = try directory.copy(name, as: "fixture.realm")
    let run = try ToolRun.realm("schema", path, "--swift")
    run.expect(status: 0)
    try check(run.output)
  }
}
