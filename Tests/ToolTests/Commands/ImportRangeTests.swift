import TestSupport
import Testing

/// Numbers that a type cannot hold are refused; none becomes infinite, or zero.
@Suite(.mustEnd) struct ImportRangeTests {
  let directory = TestDirectory()
  private var output: String { directory.file("out.realm") }

  @Test(arguments: ["1e7000", "-1e7000", "1e-7000"]) func decimalsBeyondTheirRangeAreRefused(_ number: String) throws {
    let csv = try directory.write(Array("d\n1.5\n\(number)\n".utf8), as: "d.csv")
    let run = try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "d=decimal")
    #expect(run.status == 3 && run.errors.contains("d.csv:3: "), "\(run)")
    let json = try directory.write(Array("{\"d\": 1.5}\n{\"d\": \(number)}\n".utf8), as: "d.jsonl")
    #expect(try ToolRun.realm("import", json, "-o", output, "--class", "A", "--type", "d=decimal").status == 3)
  }

  @Test func floatsThatWouldBeZeroAreRefused() throws {
    let csv = try directory.write(Array("d\n1.5\n1e-50\n".utf8), as: "d.csv")
    #expect(try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "d=float").status == 3)
  }

  @Test(arguments: ["1e-400", "-1e-400", "0.\(String(repeating: "0", count: 400))1"]) func doublesThatWouldBeZeroAreRefused(_ number: String) throws {
    let csv = try directory.write(Array("d\n1.5\n\(number)\n".utf8), as: "d.csv")
    let run = try ToolRun("realm", ["import", csv, "-o", output, "--class", "A", "--type", "d=double"])
    #expect(run.status == 3 && run.errors.contains("d.csv:3: "), "\(run)")
    // Nobody asked for doubles.
    let free = try ToolRun("realm", ["import", csv, "-o", output, "--class", "A"])
    #expect(free.status == 0 && free.errors.contains("a decimal, because") && free.errors.contains("too small for a double"), "\(free)")
  }

  @Test func numbersInMixedPropertiesThatWouldBeZeroAreRefused() throws {
    for (number, isTaken) in [("1e-7000", false), ("1e-400", true), ("-0.0e9", true), ("0.0", true), ("5e-324", true)] {
      let json = try directory.write(Array("[{\"d\": \"x\"},\n{\"d\": \(number)}]".utf8), as: "d.json")
      let run = try ToolRun.realm("import", json, "-o", directory.file("\(number).realm"), "--class", "A")
      #expect(run.status == (isTaken ? 0 : 3) && run.errors.contains("d.json:2: ") != isTaken, "\(run)")
    }
  }

  /// Counted dates have one sign (F3.16).
  @Test func datesThatThereAreNotAreBadRows() throws {
    for date in ["1:-2147483648", "5:-3", "-5:3", "1:1000000000", "1:-1000000000", "9223372036854775808:0"] {
      let csv = try directory.write(Array("t\n1:3\n\(date)\n".utf8), as: "t.csv")
      let run = try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "t=date")
      #expect(run.status == 3 && run.errors.contains("t.csv:3: 't' is no value of type date: '\(date)'"), "\(run)")
    }
    let csv = try directory.write(Array("t\n-5:-3\n0:-3\n-5:0\n0:3\n9223372036854775807:999999999\n".utf8), as: "t.csv")
    try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "t=date").expect(status: 0)
  }

  @Test func dataThatIsNoBase64IsABadRow() throws {
    for text in ["A===", "====", "=AAA", "AA=A", "AA==AA==", "AAA", "AA*="] {
      let csv = try directory.write(Array("x\nAA==\n\(text)\n".utf8), as: "x.csv")
      let run = try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "x=data")
      #expect(run.status == 3 && run.errors.contains("x.csv:3: 'x' is no value of type data: '\(text)'"), "\(run)")
    }
    let csv = try directory.write(Array("x\nAA==\nAAE=\nAAEC\n\"\"\n".utf8), as: "x.csv")
    try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "x=data").expect(status: 0)
    try ToolRun.realm("export", output, "--class", "A", "--format", "csv").expect(status: 0, output: "x\r\nAA==\r\nAAE=\r\nAAEC\r\n\"\"\r\n")
  }

  @Test func whatFitsIsTaken() throws {
    let csv = try directory.write(Array("d,e\n0,0e5\n-0.0,0.000\n5e-324,1e-6176\n1.7e308,9e6144\n".utf8), as: "d.csv")
    try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "d=double", "--type", "e=decimal").expect(status: 0)
  }

  @Test func aValueThatIsSetIsLookedAtInTheSameWay() throws {
    let csv = try directory.write(Array("id,d\n1,1.5\n".utf8), as: "d.csv")
    try ToolRun.realm("import", csv, "-o", output, "--class", "A", "--type", "d=decimal").expect(status: 0)
    #expect(try ToolRun.realm("set", output, "--class", "A", "id == 1", "d=1e7000").status == 2)
    #expect(try ToolRun.realm("insert", output, "--class", "A", "{\"id\": 2, \"d\": 1e-7000}").status == 2)
  }
}
