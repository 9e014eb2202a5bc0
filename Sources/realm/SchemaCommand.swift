import ArgumentParser
import RealmInspection
import RealmStorage

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the classes of a file with their properties, types, keys and indexes.",
    discussion: "Example: realm schema Dogs.realm --swift > Models.swift")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.") var file: String
  @Flag(help: "Everything that the file says about its tables, as JSON.") var json = false
  @Flag(help: "Model classes as Swift source.") var swift = false

  func validate() throws {
    if json && swift { throw ValidationError("Give --json or --swift, not both.") }
  }

  func run() throws {
    try Command.read(file, common) { (opened) throws(StorageError) in
      let text = json ? SchemaText.json(opened) : Array((swift ? SwiftSource(opened).text : SchemaText.readable(opened)).utf8)
      try OutputFile(nil, source: file).sink.write(text)
      return true
    }
  }
}
