import Foundation
import TestSupport
import Testing

/// The measured queries, in all three ways of evaluation.
@Suite(.mustEnd) struct QueryConformanceTests {
  private static let options = [[], ["--ignore-indexes"], ["--each-object"], ["--negate-twice"]]

  @Test(arguments: options)
  func `measured queries have the measured answers`(options: [String]) throws {
    let folder = Fixture.folder("queries")
    let run = try ToolRun("conformance", ["queries", folder + "/querydata.realm", folder + "/queries.json"] + options)
    let named = run.output.split(separator: "\n").filter { $0.contains("#") && !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
    // Compared with a corrected answer; see `VectorCorrection`.
    #expect(named == ["quirk#61"], "\(run.output.suffix(3000))")
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("queries: 4059 passed, 0 failed\n"))
  }

  /// Every type in every collection with every operator, in texts and formats, and polygons.
  @Test(arguments: options)
  func `types, collections and operators go together as measured`(options: [String]) throws {
    let folder = Fixture.folder("queries")
    let run = try ToolRun("conformance", ["queries", folder + "/querydata.realm", folder + "/matrix.json"] + options)
    #expect(run.status == 0)
    #expect(run.output.hasSuffix(" passed, 0 failed\n"), "\(run.output.suffix(3000))")
  }
}
