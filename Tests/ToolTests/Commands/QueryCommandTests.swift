import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// `realm import` and `realm query`, from files to answers.
@Suite(.mustEnd) struct QueryCommandTests {
  let directory = TestDirectory()

  private func write(_ text: String, as name: String) throws -> String { try directory.write(Array(text.utf8), as: name) }

  @Test func aTableOfTextIsImportedAndAsked() throws {
    let input = try write(
      "id,name,weight,born\n1,Rex,12.5,2020-01-31T12:00:00Z\n2,\"Fi\"\"do, jr\",9,\n3,,7.25,2021-01-31T12:00:00Z\n", as: "dogs.csv")
    let file = directory.file("dogs.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "Dog", "--primary-key", "id", "--quiet")
      .expect(status: 0, output: "imported 3 objects into Dog\n", errors: "")
    try ToolRun.realm("query", file, "--class", "Dog", "weight > $0", "--arg", "{\"double\": 8}", "--count").expect(status: 0, output: "2\n")
    try ToolRun.realm("query", file, "--class", "Dog", "TRUEPREDICATE SORT(weight ASC)", "--keys").expect(status: 0, output: "2\n1\n0\n")
    try ToolRun.realm("query", file, "--class", "Dog", "name CONTAINS ','", "--json").expect(
      status: 0, output: "{\"id\":2,\"name\":\"Fi\\\"do, jr\",\"weight\":9.0,\"born\":null}\n")
    try ToolRun.realm("query", file, "--class", "Dog", "name CONTAINS ','", "--format", "lossless-lines").expect(
      status: 0,
      output: "{\"table\":\"class_Dog\",\"key\":1,\"values\":{\"id\":2,\"name\":\"Fi\\\"do, jr\",\"weight\":{\"$double\":\"9.0\"},\"born\":null}}\n")
    try ToolRun.realm("query", file, "--class", "Dog", "id <= 2", "--quiet").expect(
      status: 0,
      output: """
        id  name       weight  born
        --  ---------  ------  --------------------
        1   Rex        12.5    2020-01-31T12:00:00Z
        2   Fi"do, jr  9.0     -

        """)
    let explained = try ToolRun.realm("query", file, "--class", "Dog", "weight > 8 && id == 1", "--explain")
    #expect(explained.status == 0 && explained.output.contains("1. scan: id == 1") && explained.output.hasSuffix("1 objects selected\n"))
    try ToolRun.realm("verify", file).expect(status: 0)
  }

  @Test func nestedObjectsBecomeEmbeddedOnes() throws {
    let input = try write(
      "[{\"id\": 1, \"address\": {\"city\": \"Paris\"}, \"tags\": [\"a\"], \"pets\": [{\"n\": 1}, {\"n\": 2}]},\n {\"id\": 2, \"tags\": []}]",
      as: "p.json")
    let file = directory.file("p.realm")
    let run = try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id")
    #expect(run.errors == "  id: int\n  address: {city: string}?\n  tags: [string]\n  pets: [{n: int}]?\n")
    for (query, count) in [("address.city == 'Paris'", 1), ("pets.n == 2", 1), ("tags.@count == 0", 1), ("address == NULL", 1)] {
      try ToolRun.realm("query", file, "--class", "Person", query, "--count").expect(status: 0, output: "\(count)\n")
    }
    try ToolRun.realm("verify", file).expect(status: 0)
    let again = try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id", "--quiet")
    #expect(again.status == 3 && again.errors.contains(":1: an object with the primary key 1 exists"))
    try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id", "--update", "--quiet").expect(status: 0)
    try ToolRun.realm("query", file, "--class", "Person", "TRUEPREDICATE", "--count").expect(status: 0, output: "2\n")
    try ToolRun.realm("verify", file).expect(status: 0)
  }

  @Test func badRowsAreNamedAndNothingIsImported() throws {
    let input = try write("{\"id\": 1, \"v\": 5}\n{\"id\": 2, \"v\": \n{\"id\": 1, \"v\": 6}\n[3]\n", as: "b.jsonl")
    let file = directory.file("b.realm")
    let run = try ToolRun.realm("import", input, "-o", file, "--class", "B", "--primary-key", "id", "--quiet")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("\(input):2: a value is missing\n\(input):4: is no object\nerror: "))
    #expect(!FileManager.default.fileExists(atPath: file))
    let skipped = try ToolRun.realm("import", input, "-o", file, "--class", "B", "--primary-key", "id", "--skip-bad", "--batch", "1", "--quiet")
    #expect(skipped.status == 0 && skipped.output == "imported 1 objects into B\n")
  }

  @Test func aRefusedQueryIsOneLineThatShowsThePlace() throws {
    let input = try write("a\n1\n", as: "a.csv")
    let file = directory.file("a.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "A", "--quiet").expect(status: 0)
    let run = try ToolRun.realm("query", file, "--class", "A", "a == 1 && b == 2")
    #expect(run.status == 2 && run.errors.contains("InvalidQuery: 'A' has no property 'b' (at byte 10)"))
    #expect(try ToolRun.realm("query", file, "--class", "Nope", "TRUEPREDICATE").status == 2)
  }
}
