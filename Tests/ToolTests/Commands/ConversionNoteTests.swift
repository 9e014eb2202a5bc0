import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Values of JSON that are none of the type of their property: what becomes of them is said, or they are refused.
@Suite(.mustEnd) struct ConversionNoteTests {
  let directory = TestDirectory()
  private var path: String { directory.file("all.realm") }

  /// A class with a property of every type, optional, and one that others link to.
  private func makeFile() throws {
    let input = try directory.write(Array("name,age\nAda,1\n7,2\n".utf8), as: "p.csv")
    try ToolRun.realm("import", input, "-o", path, "--class", "P", "--primary-key", "name").expect(status: 0)
    let properties = [
      "n=int?", "s=string?", "d=double?", "f=float?", "b=bool?", "t=date?", "dec=decimal?", "m=mixed", "l=[int]", "own=P", "x=data?",
    ]
    try ToolRun("realm", ["create", "class", path, "A"] + properties).expect(status: 0)
  }

  private func objects() throws -> [String] {
    try ToolRun.realm("export", path, "--class", "A", "--format", "jsonl").output.split(separator: "\n").map(String.init)
  }

  @Test func whatAnInsertedValueBecomesIsSaid() throws {
    try makeFile()
    for (value, property, became) in [
      ("1", "s", #"1 is no string and becomes "1""#), ("1.50", "s", #"1.50 is no string and becomes "1.50""#),
      ("true", "s", #"true is no string and becomes "true""#), (#""012""#, "n", #""012" is no int and becomes 12"#),
      (#""1""#, "b", #""1" is no bool and becomes true"#), (#""1.5""#, "d", #""1.5" is no double and becomes 1.5"#),
      (#""1.5""#, "f", #""1.5" is no float and becomes 1.5"#), (#""1.50""#, "dec", #""1.50" is no decimal and becomes 1.50"#),
      ("0.12345678901234567890", "d", "0.12345678901234567890 becomes 0.12345678901234568, the double that is nearest to it"),
      ("0.1234567890123", "f", "0.1234567890123 becomes 0.12345679, the float that is nearest to it"),
      (
        "12345678901234567890123456789012345", "m",
        "12345678901234567890123456789012345 becomes 1.234567890123457e+34, the double that is nearest to it"
      ),
      (#"{"$float": 1.12345678901}"#, "m", "1.12345678901 becomes 1.1234568, the float that is nearest to it"),
      (#""2020-01-31""#, "t", #""2020-01-31" has no time, which becomes midnight UTC"#),
      (#""2020-01-31 12:00""#, "t", #""2020-01-31 12:00" has no time zone and is taken for UTC"#), ("null", "l", "null becomes an empty list"),
      (#"["1", 2, "3"]"#, "l", #""1" is no int and becomes 1, and 1 more likewise"#), ("7", "own", #"7 is no string and becomes "7""#),
      (#"{"name": "Ada", "age": 9}"#, "own", #"the object becomes a link to "Ada"; its other properties are left out"#),
      ("7", "$key", "7 is left out: objects get keys of their own"), ("1", "$x", "1 is left out: names with one $ are no properties; $$x is one"),
    ] {
      let object = #"{"\#(property)": \#(value)}"#
      try ToolRun.realm("insert", path, "--class", "A", object, "--dry-run").expect(
        status: 0, output: "dry run, nothing was changed; otherwise: inserted 1 object of A\n", errors: "note: \(property): \(became)\n")
      try ToolRun.realm("insert", path, "--class", "A", object, "--quiet").expect(status: 0, output: "inserted 1 object of A\n", errors: "")
    }
  }

  @Test func ofValuesThatStayTheSameNothingIsSaid() throws {
    try makeFile()
    let object = """
      {"n": 12.0, "s": "1", "d": 0.1, "f": 0.1, "b": true, "t": "2020-01-31T12:00:00Z", "dec": 1.50, "m": {"$date": "2020-01-31T12:00:00Z"}, \
      "l": [1], "own": {"name": "Ada"}, "x": "AAE="}
      """
    try ToolRun.realm("insert", path, "--class", "A", object).expect(status: 0, output: "inserted 1 object of A\n", errors: "")
    for object in [#"{"n": 9007199254740993.0, "d": 1e3}"#, #"{"d": "NaN", "f": "-Inf", "dec": "NaN", "n": null, "t": "1:5"}"#] {
      try ToolRun.realm("insert", path, "--class", "A", object).expect(status: 0, output: "inserted 1 object of A\n", errors: "")
    }
    #expect(try objects()[1].hasPrefix(#"{"n":9007199254740993,"#))
  }

  @Test func aLineWithTheAddressOfASchemaIsNoExport() throws {
    let input = try directory.write(Array(#"{"$schema":"https://example.com/a.json","n":1}"#.utf8), as: "m.jsonl")
    try ToolRun.realm("import", input, "-o", path, "--class", "A").expect(status: 0, output: "imported 1 object into A\n")
    #expect(try objects() == [#"{"n":1}"#])
  }

  @Test func whatIsSaidToBeMixedMayBeAnything() throws {
    let lines = ["{\"m\":1}", "{\"m\":[1,\"a\"]}", "{\"m\":{\"b\":null}}", "{\"m\":\"c\"}", "{\"m\":null}"]
    let input = try directory.write(Array(lines.joined(separator: "\n").utf8), as: "m.jsonl")
    let run = try ToolRun.realm("import", input, "-o", path, "--class", "A", "--type", "m=mixed")
    run.expect(status: 0, output: "imported 5 objects into A\n", errors: "  m: mixed?\n")
    #expect(try objects() == lines)
  }

  @Test func anotherNumberIsRefused() throws {
    try makeFile()
    for (object, words) in [
      (#"{"n": 1.5}"#, "'n' is no value of type int: '1.5'"), (#"{"n": 9223372036854775808.0}"#, "'n' is no value of type int"),
      (#"{"n": 1e-1}"#, "'n' is no value of type int"), (#"{"b": 1}"#, "'b' is no value of type bool: 1"),
      (#"{"f": 16777217}"#, "'f' is no value of type float"), (#"{"n": 1, "n": 2}"#, "is no JSON: the name 'n' occurs twice; nothing was changed"),
    ] {
      try ToolRun.realm("insert", path, "--class", "A", object).expectError(2, about: path, words)
    }
    #expect(try objects().isEmpty)
  }

  @Test func aStringThatIsSetIsTheTextThatWasWritten() throws {
    try makeFile()
    try ToolRun.realm("insert", path, "--class", "A", "[{}, {}]").expect(status: 0)
    for text in ["-0", "1.50", "true", "12"] {
      try ToolRun.realm("set", path, "--class", "A", "TRUEPREDICATE", "s=\(text)").expect(status: 0, errors: "")
      #expect(try objects()[0].contains(#""s":"\#(text)""#))
    }
    try ToolRun.realm("link", path, "--class", "A", "TRUEPREDICATE", "own", "7").expect(status: 0, errors: "")
    try ToolRun.realm("set", path, "--class", "A", "TRUEPREDICATE", #"n="12""#, #"l=["1","2"]"#)
      .expect(status: 0, errors: "note: n: \"12\" is no int and becomes 12\nnote: l: \"1\" is no int and becomes 1, and 1 more likewise\n")
    let lines = try directory.write(Array(#"set --class A 'n == 12' n='"5"'"#.utf8), as: "lines")
    let shell = try ToolRun(path: "sh", ["-c", "\(PackageLocation.productDirectory)/realm shell \(path) < \(lines)"])
    shell.expect(status: 0, output: "changed 2 objects of A: 0, 1\n", errors: "note: n: \"5\" is no int and becomes 5\n")
  }

  @Test func anExportThatWasEditedIsToldOfToo() throws {
    let schema = #"{"e":{"type":"int","collection":"set"},"s":{"type":"string"},"d":{"type":"int","collection":"dictionary","optional":true}}"#
    let export = #"{"$schema":{"S":{"properties":\#(schema)}},"S":["#
    let row = #"{"$key":0,"e":[3,1,3],"s":1,"d":{"$dictionary":[["k",1]]}}"#
    let input = try directory.write(Array((export + row + "]}").utf8), as: "s.json")
    try ToolRun.realm("import", input, "-o", path).expect(
      status: 0, output: "imported 1 object\n",
      errors: "note: s: 1 (line 1) is no string and becomes \"1\"\nnote: e: 3 (line 1) is in the set already\n")
    try ToolRun.realm("insert", path, "--class", "S", #"{"e": [1, 1, 2, 2]}"#)
      .expect(status: 0, output: "inserted 1 object of S\n", errors: "note: e: 1 is in the set already, and 1 more likewise\n")
    try ToolRun.realm("insert", path, "--class", "S", #"{"d": {"$dictionary": [["k", 1], ["k", 2]]}}"#)
      .expectError(2, about: path, "'d' has an entry for the same key twice")
    #expect(try ToolRun.realm("export", path, "--class", "S", "--format", "jsonl").output.hasPrefix(#"{"e":[1,3],"s":"1","d":{"k":1}}"#))
  }

  @Test func importingIntoAClassThatExistsSaysWhatBecomesOfValues() throws {
    try makeFile()
    let lines = try directory.write(Array("{\"s\":1}\n{\"s\":2.50,\"n\":\"7\",\"$k\":1}\n".utf8), as: "a.jsonl")
    let run = try ToolRun.realm("import", lines, "-o", path, "--class", "A")
    run.expect(status: 0, output: "imported 2 objects into A\n")
    let notes = [#"s: 1 (line 1) is no string and becomes "1", and 1 more likewise"#, #"n: "7" (line 2) is no int and becomes 7"#, "$k: is left out"]
    for words in notes {
      #expect(run.errors.contains("note: \(words)"), "\(run)")
    }
    let table = try directory.write(Array("s,n,d,b,t\n1,007,0.1234567890123456789,1,2020-01-01\n".utf8), as: "a.csv")
    let second = try ToolRun.realm("import", table, "-o", path, "--class", "A")
    second.expect(
      status: 0,
      errors: """
        note: n: '007' (line 2) begins with a zero, which a number loses
        note: d: '0.1234567890123456789' (line 2) has more digits than a double holds and is rounded
        note: b: '1' (line 2) is taken for a boolean: 1 for true, 0 for false
        note: t: '2020-01-01' (line 2) has no time, which becomes midnight UTC

        """)
    #expect(try objects().last?.hasPrefix(#"{"n":7,"s":"1","d":0.12345678901234568,"#) == true)
  }
}
