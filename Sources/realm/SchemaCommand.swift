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
  @Option(name: .customLong("class"), help: "Only this class, without --json and --swift; may be repeated.") var classNames: [String] = []

  func validate() throws {
    if [json, swift, jsonSchema].count(where: { $0 }) > 1 { throw ValidationError("Give one of --json, --swift and --json-schema only.") }
    if !classNames.isEmpty && (json || swift) { throw ValidationError("--class does not go with --json or --swift, which tell the whole schema.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      var chosen: Set<ExactName>?
      for name in classNames { chosen = (chosen ?? []).union([ExactName(SchemaText.className(try opened.table(named: name).name))]) }
      if jsonSchema { return try writeJSONSchema(opened, chosen) }
      let text =
        json ? SchemaText.json(opened) : Array((swift ? SwiftSource(opened).text : SchemaText.readable(opened, classNames: chosen)).utf8)
      try OutputFile(nil, source: file).sink.write(text)
      return true
    }
  }

  private func writeJSONSchema(_ opened: OpenFile, _ classNames: Set<ExactName>?) throws(StorageError) -> Bool {
    let schema = JSONSchemaText(opened, classNames: classNames)
    if !common.quiet { for loss in schema.losses { Command.report("not in the schema: \(loss)") } }
    try OutputFile(nil, source: file).sink.write(schema.bytes)
    return true
  }
}
