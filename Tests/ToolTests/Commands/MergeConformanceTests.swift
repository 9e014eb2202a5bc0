import TestSupport
import Testing

/// What the original made of changes that several files made at the same time, beside our merge.
@Suite(.mustEnd) struct MergeConformanceTests {
  private let directory = TestDirectory()

  @Test func recordedChangesetsAreMergedAsRecorded() throws {
    let run = try ToolRun("conformance", ["merge", Fixture.folder("merge")])
    run.expect(status: 0, output: "merge: 730 passed, 0 failed\n")
  }

  @Test func aDifferenceIsNamed() throws {
    // Both set a property to the same value, and the later one stays.
    let one = #"{"hex":"3f0001503f010169040001010100010100","timestamp":1,"file":2}"#
    let two = #"{"hex":"3f0001503f010169040001010100010100","timestamp":2,"file":3}"#
    let result = #"{"A":["\#("3f0001503f010169040001010100010100")"],"B":[""]}"#
    let vector = #"{"id":"one","A":[\#(one)],"B":[\#(two)],"transformed":{"local_A":\#(result),"local_B":\#(result)}}"#
    _ = try directory.write(Array(#"{"vectors":[\#(vector)]}"#.utf8), as: "some.json")
    let run = try ToolRun("conformance", ["merge", directory.path])
    run.expect(
      status: 1,
      output: """
        some.json one: side A, being ours, becomes [""], expected ["3f0001503f010169040001010100010100"]
        merge: 0 passed, 1 failed

        """)
  }

  @Test func aFileWithoutVectorsFails() throws {
    _ = try directory.write(Array("{}".utf8), as: "some.json")
    let run = try ToolRun("conformance", ["merge", directory.path])
    run.expect(status: 1, output: "some.json: cannot be read or unpacked, or is no file of merges\nmerge: 0 passed, 1 failed\n")
  }
}
