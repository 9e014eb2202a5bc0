import Foundation
import TestSupport
import Testing

/// What a person sees at a terminal of values that would steer it, and what a program gets.
@Suite(.mustEnd) struct TerminalOutputTests {
  private let directory = TestDirectory()

  @Test(arguments: ["table", "csv"]) func valuesDoNotSteerTheTerminal(format: String) throws {
    let file = directory.file("dogs.realm")
    try ToolRun("realm", ["create", "class", file, "Dog", "name=string", "--new"]).expect(status: 0)
    let name = "a\u{1b}[31mred\u{9b}2J\rover\u{7f}é\u{c2}"
    let object = try String(decoding: JSONEncoder().encode(["name": name]), as: UTF8.self)
    try ToolRun("realm", ["insert", file, "--class", "Dog", object]).expect(status: 0)
    let arguments = ["query", file, "TRUEPREDICATE", "--class", "Dog", "--format", format]

    let shown = try TerminalProcess("realm", arguments)
    #expect(shown.end() == 0, "\(shown.screen)")
    #expect(!shown.screen.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{9b}" || $0 == "\u{7f}" })

    let piped = try ToolRun("realm", arguments)
    piped.expect(status: 0)
    // The cells of a table have blanks for some of them.
    guard format == "csv" else { return }
    #expect(shown.screen.contains("a\\u{1b}[31mred\\u{9b}2J\\u{d}over\\u{7f}é\u{c2}"), "\(shown.screen.debugDescription)")
    #expect(shown.screen.hasPrefix("name\r"), "\(shown.screen.debugDescription)")
    #expect(piped.output.contains(name), "\(piped.output.debugDescription)")
  }
}
