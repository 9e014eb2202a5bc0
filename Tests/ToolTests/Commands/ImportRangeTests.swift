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
    for type in [[], ["--type", "d=double"]] {
      let csv = try directory.write(Array("d\n1.5\n\(number)\n".utf8), as: "d.csv")
      let run = try ToolRun("realm", ["import", csv, "-o", output, "--class", "A"] + type)
      #expect(run.status == 3 && run.errors.contains("d.csv:3: "), "\(run)")
    }
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
