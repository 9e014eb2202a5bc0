import ArgumentParser
import RealmInspection
import RealmStorage

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the classes of a file with their properties, types, keys and indexes.",
    discussion: "Example: realm schema Dogs.realm --swift > Models.swift")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String
  @Flag(help: "Everything that the file says about its tables, as JSON.") var json = false
  @Flag(help: "Model classes as Swift source.") var swift = false
  @Flag(help: "JSON Schema of the classes, as backends of Realm use it. What that has no word for is told on standard error.") var jsonSchema = false
  @Option(name: .customLong("class"), help: "Only this class, with --json-schema; may be repeated.") var classNames: [String] = []

  func validate() throws {
    if [json, swift, jsonSchema].count(where: { $0 }) > 1 { throw ValidationError("Give one of --json, --swift and --json-schema only.") }
    if !classNames.isEmpty && !jsonSchema { throw ValidationError("--class goes with --json-schema only.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      if jsonSchema { return try writeJSONSchema(opened) }
      let text = json ? SchemaText.json(opened) : Array((swift ? SwiftSource(opened).text : SchemaText.readable(opened)).utf8)
      try OutputFile(nil, source: file).sink.write(text)
      return true
    }
  }

  private func writeJSONSchema(_ opened: OpenFile) throws(StorageError) -> Bool {
    for name in classNames { _ = try opened.table(named: name) }
    let schema = JSONSchemaText(opened, classNames: classNames.isEmpty ? nil : Set(classNames))
    if !common.quiet { for loss in schema.losses { Command.report("not in the schema: \(loss)") } }
    try OutputFile(nil, source: file).sink.write(schema.bytes)
    return true
  }
}
