import TestSupport
import Testing

/// Texts that stand for null, in tables and in CSV.
@Suite(.mustEnd) struct NullTextTests {
  let directory = TestDirectory()
  private var file: String { directory.file("a.realm") }

  private func imported(_ text: String, _ options: String..., as name: String = "a.csv") throws -> ToolRun {
    try ToolRun("realm", ["import", directory.write(Array(text.utf8), as: name), "-o", file, "--class", "A"] + options)
  }

  private func lines() throws -> String { try ToolRun.realm("query", file, "--class", "A", "--json").output }

  @Test func aTextThatLooksLikeNullHasQuotesInATable() throws {
    try imported("s\n-\n\"\"\"-\"\"\"\n\n- \n--\n\"a \"\"-\"\"\"\n").expect(status: 0)
    try ToolRun.realm("query", file, "--class", "A", "--quiet").expect(status: 0, output: "s\n-----\n\"-\"\n\"\"-\"\"\n-\n\"- \"\n--\na \"-\"\n")
    try ToolRun.realm("query", file, "--class", "A", "s == '-' OR s == NULL", "--group-by", "s", "--quiet").expect(
      status: 0, output: "s    count\n---  -----\n-    1\n\"-\"  1\n")
  }

  @Test func textsThatMeanNullAreNullWithoutQuotes() throws {
    try imported("n,s\n1,NA\nNA,\"NA\"\n-,x\n,NAN\n", "--null", "NA", "--null", "-").expect(status: 0)
    #expect(try lines() == "{\"n\":1,\"s\":null}\n{\"n\":null,\"s\":\"NA\"}\n{\"n\":null,\"s\":\"x\"}\n{\"n\":null,\"s\":\"NAN\"}\n")
  }

  /// Neither a name in the header nor the only field of a line is none.
  @Test func aHeaderAndShortRowsAreNotNull() throws {
    try imported("NA,b\n1,NA\n", "--null", "NA").expect(status: 0)
    #expect(try lines() == "{\"NA\":1,\"b\":null}\n")
    let run = try imported("NA,b\nNA\n", "--null", "NA")
    #expect(run.status == 3 && run.errors.contains(":2: has 1 field, the header has 2"), "\(run)")
  }

  @Test(arguments: ["NA", "-", "0", "true", "1.5", "\\N", "ä"]) func whatIsExportedWithATextForNullIsReadBack(_ null: String) throws {
    let rows = "n,s,b,d\n0,NA,true,1.5\n,\"\",,\n1,0,false,2.5\n-1,,true,\n2,-,,0\n3,\\N,,\n4,ä,,\n5,1.5,,\n"
    try imported(rows).expect(status: 0)
    let csv = try ToolRun.realm("export", file, "--class", "A", "--format", "csv", "--null=\(null)")
    #expect(csv.status == 0 && csv.output.contains(",\(null)\r\n"))
    let (input, copy) = (try directory.write(Array(csv.output.utf8), as: "b.csv"), directory.file("b.realm"))
    try ToolRun.realm("import", input, "-o", copy, "--class", "A", "--null=\(null)", "--type", "s=string").expect(status: 0)
    #expect(try ToolRun.realm("query", copy, "--class", "A", "--json").output == lines(), "\(csv.output)")
    let query = try ToolRun.realm("query", file, "--class", "A", "--format", "csv", "--null=\(null)")
    #expect(query.output == csv.output)
  }

  @Test func aSetHoldsNoCollectionAndTheRowIsNamed() throws {
    try ToolRun.realm("create", "class", file, "A", "m=MutableSet<mixed>", "--new").expect(status: 0)
    let run = try imported("{\"m\":[1]}\n{\"m\":[[1]]}\n{\"m\":[{\"a\":1}]}\n", as: "a.jsonl")
    #expect(run.status == 3 && run.errors.contains(":2: 'm' holds a list or dictionary, which no set does\n"), "\(run)")
    #expect(run.errors.contains(":3: 'm' holds a list or dictionary, which no set does\n"), "\(run)")
  }

  @Test(arguments: ["a,b", "\"", "a\nb", " a"]) func aTextThatCannotStandWithoutQuotesIsRefused(_ null: String) throws {
    let run = try imported("s\n1\n", "--null", null)
    #expect(run.status == 2 && run.errors.contains("--null needs a text that stands in a field without quotes"), "\(run)")
    try imported("s\n1\n").expect(status: 0)
    #expect(try ToolRun.realm("export", file, "--class", "A", "--format", "csv", "--null", null).status == 2)
  }

  @Test func jsonHasNullItself() throws {
    for run in [
      try imported("{\"a\":1}", "--null", "NA", as: "a.jsonl"), try ToolRun.realm("export", file, "--null", "NA"),
      try ToolRun.realm("query", file, "--null", "NA"),
    ] {
      #expect(run.status == 2 && run.errors.contains("--null goes with CSV only; JSON has a word for null."), "\(run)")
    }
  }
}
