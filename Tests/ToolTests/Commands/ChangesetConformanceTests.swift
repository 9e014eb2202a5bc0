import TestSupport
import Testing

/// What the original recorded and how it reacts to bytes, beside our parser and encoder.
@Suite(.mustEnd) struct ChangesetConformanceTests {
  private let directory = TestDirectory()

  @Test func recordedChangesetsAreReadAndWrittenAsRecorded() throws {
    let run = try ToolRun("conformance", ["changesets", Fixture.folder("changesets")])
    run.expect(status: 0, output: "changesets: 348 passed, 0 failed\n")
  }

  @Test(arguments: [
    (#"{"id":"one","hex":"0e","reference":"accepts","reencoded_hex":""}"#, "is refused: instruction 0 has an unknown code, at byte 1"),
    (#"{"id":"one","hex":"3f0001410100","reference":"rejects"}"#, "is accepted"),
    (#"{"id":"one","hex":"3f0001410100","reference":"accepts","reencoded_hex":"3f0001420100"}"#, "encodes to 3f0001410100"),
    (
      #"{"id":"one","hex":"3f0001410100","reference":"accepts","reencoded_hex":"3f0001410100","recommended":"reject"}"#,
      "is not refused from the network"
    ),
  ])
  func aDifferenceIsNamed(_ one: String, _ problem: String) throws {
    _ = try directory.write(Array(#"{"cases":[\#(one)]}"#.utf8), as: "some.json")
    let run = try ToolRun("conformance", ["changesets", directory.path])
    run.expect(status: 1, output: "some.json one: \(problem)\nchangesets: 0 passed, 1 failed\n")
  }

  @Test func damagedChangesetsMakeNoTrouble() throws {
    let run = try ToolRun(
      "regnum-fuzz", ["--changesets", Fixture.folder("changesets"), "--count", isFullRun ? "1000000" : "5000", "--seed", "\(testSeed)"])
    #expect(run.status == 0, "\(run.output)")
  }
}
