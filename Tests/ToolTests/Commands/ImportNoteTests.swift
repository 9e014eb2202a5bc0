import TestSupport
import Testing

/// What an import says of values that become others, or of types that were not meant.
@Suite(.mustEnd) struct ImportNoteTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  private func imported(_ text: String, as name: String = "a.csv", _ options: String...) throws -> ToolRun {
    try ToolRun("realm", ["import", directory.write(Array(text.utf8), as: name), "-o", output, "--class", "A"] + options)
  }

  @Test func anIntegerThatADoubleDoesNotHoldIsRefusedInAClassThatExistsInEveryFormat() throws {
    try ToolRun.realm("create", "class", output, "A", "d=double", "f=float", "--new").expect(status: 0)
    for number in ["9007199254740993", "-9007199254740993", "9007199254740995"] {
      for (text, name) in [("d\n\(number)\n", "a.csv"), ("{\"d\": \(number)}\n", "a.jsonl")] {
        let run = try imported(text, as: name)
        #expect(run.status == 3 && run.errors.contains("'d' is no value of type double: "), "\(run)")
      }
    }
    #expect(try imported("d\n9007199254740992\n").status == 0)
  }

  /// As JavaScript and jq write doubles below 10^21.
  @Test(arguments: [
    ("100000000000000000000", "1e+20"), ("36893488147419103232", "3.6893488147419103e+19"), ("1152921504606847000", "1.152921504606847e+18"),
    ("-123456789012345680000", "-1.2345678901234568e+20"),
  ]) func aDoubleThatIsWrittenAsAnIntegerIsOneInEveryFormat(_ number: String, _ shortest: String) throws {
    try ToolRun.realm("create", "class", output, "A", "d=double", "--new").expect(status: 0)
    for (text, name) in [("d\n\(number)\n", "a.csv"), ("{\"d\": \(number)}\n", "a.jsonl")] { #expect(try imported(text, as: name).status == 0) }
    #expect(try ToolRun.realm("export", output, "--class", "A", "--format", "jsonl").output == "{\"d\":\(shortest)}\n{\"d\":\(shortest)}\n")
  }

  /// Of a version `1.10` is not `1.1`. Where all fractions have the same number of digits, as of prices, no two texts become one.
  @Test(arguments: [
    ("1.9\n1.10\n", "'1.10' (line 3) loses the zero at its end, as if 1.1 were written; --type v=string keeps it"),
    ("2.00\n7\n1.5\n", "'2.00' (line 2) loses the zero at its end, as if 2.0 were written; --type v=string keeps it"),
    ("1.50\n2.25\n-0.10\n", nil), ("1.5\n2.25\n1e10\n-0\n.5\n", nil),
  ]) func aZeroThatANumberLosesAtItsEndIsSaid(_ rows: String, _ note: String?) throws {
    let run = try imported("v\n" + rows)
    #expect(run.status == 0 && run.errors == (note.map { "note: v: \($0)\n" } ?? "") + "  v: double\n", "\(run)")
    try ToolRun.realm("create", "class", output, "F", "v=float").expect(status: 0)
    let input = try directory.write(Array(("v\n" + rows).utf8), as: "f.csv")
    try ToolRun.realm("import", input, "-o", output, "--class", "F").expect(status: 0, errors: "")
  }

  /// A row of CSV always has the properties of the header, which are refused where they are null.
  @Test func whatNewObjectsGetIsOnlySaidWhereTheyGetIt() throws {
    let said = "new objects get the default value where the input has no such member; null is refused"
    try ToolRun.realm("create", "class", output, "A", "id=int", "n=int", "--primary-key", "id", "--new").expect(status: 0)
    for (text, file, isSaid) in [
      ("id,n\n1,5\n2,\n", "a.csv", false), ("id\n3\n", "a.csv", true), ("{\"id\":4}\n{\"id\":5,\"n\":1}\n", "a.jsonl", true),
    ] {
      let run = try imported(text, as: file)
      #expect(run.errors.contains("note: n: \(said)\n") == isSaid, "\(run)")
    }
  }

  @Test func whyANumberDoesNotFitIsSaid() throws {
    try ToolRun.realm("create", "class", output, "A", "d=double", "f=float", "n=int", "m=decimal", "--new").expect(status: 0)
    for (name, number, reason) in [
      ("d", "12345678901234567890", "which it does not hold exactly; the nearest that it holds is 12345678901234567168\n"),
      ("d", "1e400", "which is too large or too small"),
      ("f", "16777217", "which it does not hold exactly"), ("n", "9223372036854775808", "which is not between -2^63 and 2^63 - 1"),
      ("m", "1e7000", "which is too large or too small"), ("m", String(repeating: "1", count: 35), "which has more than 34 digits"),
    ] {
      for (text, file) in [("\(name)\n\(number)\n", "a.csv"), ("{\"\(name)\": \(number)}\n", "a.jsonl")] {
        let run = try imported(text, as: file)
        #expect(run.status == 3 && run.errors.contains(", \(reason)"), "\(run)")
      }
    }
  }

  @Test(arguments: ["0.1234567890123", "16777217.5"]) func whatAFloatRoundsIsSaid(_ number: String) throws {
    try ToolRun.realm("create", "class", output, "A", "f=float", "--new").expect(status: 0)
    let run = try imported("f\n0.5\n\(number)\n")
    #expect(run.status == 0 && run.errors.contains("'\(number)' (line 3) has more digits than a float holds and is rounded"), "\(run)")
    #expect(try imported("f\n0.5\n0.1\n16777216\n").errors == "")
  }

  @Test func whatAChosenTypeRoundsIsSaid() throws {
    for (number, type, text) in [
      ("9007199254740993", "double", "integers such as '9007199254740993' (line 2) are rounded where a double does not hold them"),
      ("16777217", "float", "integers such as '16777217' (line 2) are rounded where a float does not hold them"),
      ("0.12345678901234567890", "double", "'0.12345678901234567890' (line 2) has more digits than a double holds and is rounded"),
    ] {
      let run = try ToolRun(
        "realm",
        ["import", directory.write(Array("a\n\(number)\n".utf8), as: "a.csv"), "-o", directory.file("\(type)\(number).realm"), "--class", "A"]
          + ["--type", "a=\(type)"])
      #expect(run.status == 0 && run.errors.contains("note: a: \(text)"), "\(run)")
    }
    let json = try imported("[{\"a\": 9007199254740993}]", as: "a.json", "--type", "a=double")
    #expect(json.status == 0 && json.errors.contains("9007199254740993 (line 1) becomes 9007199254740992.0, the double"), "\(json)")
  }

  @Test func anotherTypeForAPropertyThatExistsIsRefused() throws {
    try imported("id,l\n1,\"[1]\"\n", as: "a.csv", "--type", "l=[int]").expect(status: 0)
    let run = try imported("id\n2\n", as: "a.csv", "--type", "id=string")
    #expect(run.status == 2 && run.errors.contains("--type gives 'id' another type than it has in 'A', where it is int"), "\(run)")
    #expect(try imported("l\n[2]\n", as: "a.csv", "--type", "l=int").status == 2)
    try imported("id,l\n3,[2]\n", as: "a.csv", "--type", "id=int", "--type", "l=[int]").expect(status: 0)
  }

  @Test func typesAreChosenAsTheyArePrinted() throws {
    let run = try imported("{\"a\": [1, null], \"b\": \"2\"}\n{\"a\": null}\n", as: "a.jsonl")
    #expect(run.errors.contains("  a: [int?]\n  b: string?\n") && run.errors.contains("a: an empty list where it is null"), "\(run)")
    let other = directory.file("other.realm")
    let again = try ToolRun.realm("import", directory.file("a.jsonl"), "-o", other, "--class", "A", "--type", "a=[int?]", "--type", "b=string?")
    #expect(again.status == 0 && again.errors.contains("  a: [int?]\n  b: string?\n"), "\(again)")
    try ToolRun.realm("diff", output, other).expect(status: 0)
  }

  @Test func numbersThatNoDoubleHoldsKeepWhatTheyAre() throws {
    for (number, stored) in [("1e400", "1E400"), ("1e-400", "1E-400"), ("12345678901234567890", "12345678901234567890")] {
      let path = directory.file("\(number).realm")
      let input = try directory.write(Array("[{\"a\": \(number), \"m\": \(number)}, {\"a\": 1, \"m\": \"x\"}]".utf8), as: "a.json")
      let run = try ToolRun.realm("import", input, "-o", path, "--class", "A")
      #expect(run.status == 0 && run.errors.contains("note: a: a decimal, because "), "\(run)")
      let lines = try ToolRun.realm("query", path, "--format", "jsonl").output
      #expect(lines.hasPrefix("{\"a\":\(stored),\"m\":{\"$decimal\":\(stored)}}\n"), "\(lines)")
    }
    let run = try imported("[{\"a\": 1e7000}, {\"a\": 1}]", as: "a.json")
    #expect(run.status == 0 && run.errors.contains("note: a: a string, because no number type holds all values exactly\n"), "\(run)")
  }

  @Test func theValueThatMakesAColumnOfNumbersAStringIsNamed() throws {
    for (values, culprit) in [(["1", "1.5", "INF"], "'INF' (line 4)"), (["1", "NA", "3"], "'NA' (line 3)"), (["n/a", "1", "2"], "'n/a' (line 2)")] {
      let run = try ToolRun(
        "realm",
        [
          "import", directory.write(Array(("a\n" + values.joined(separator: "\n") + "\n").utf8), as: "a.csv"), "-o",
          directory.file("\(values.count)\(culprit.count)\(values[0].count).realm"), "--class", "A",
        ])
      #expect(run.errors.contains("a string, because ") && run.errors.contains(culprit), "\(run)")
    }
  }

  @Test func noCharacterOfAnInputSteersTheTerminal() throws {
    let run = try imported("[{\"a\": \"x\\u001b[31m\"}, {\"a\": 3}, {\"a\": \"y\\nz\"}]", as: "a.json")
    #expect(run.status == 0 && run.errors.contains(#"'x\u{1b}[31m' (line 1)"#) && !run.errors.contains("\u{1B}"), "\(run)")
    let mixed = try ToolRun.realm(
      "import", directory.write(Array("[{\"a\": \"y\\nz\"}, {\"a\": 3}]".utf8), as: "b.json"), "-o", directory.file("b.realm"), "--class", "A")
    #expect(mixed.errors.contains(#"'y\nz' (line 1)"#), "\(mixed)")
  }
}
