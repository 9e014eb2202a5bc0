import Testing

@testable import RealmInspection

/// Tables fit the terminal.
@Suite struct AlignedLinesTests {
  private func table(_ names: [String], _ rows: [[String]], width: Int?) throws -> (lines: [String], hidden: Int) {
    let sink = MemorySink()
    var lines = AlignedLines(names, TextOutput(sink), totalWidth: width)
    for row in rows { try lines.append(row) }
    try lines.finish()
    return (String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n").map(String.init), lines.hiddenCount)
  }

  @Test func whatFitsIsShownWhole() throws {
    let (lines, hidden) = try table(["id", "name"], [["1", "Ada"], ["22", "Grace"]], width: 80)
    #expect(lines == ["id  name", "--  -----", "1   Ada", "22  Grace"])
    #expect(hidden == 0)
  }

  @Test func theWidestColumnIsNarrowedFirst() throws {
    let (lines, hidden) = try table(["id", "text"], [["1", String(repeating: "x", count: 100)]], width: 40)
    #expect(lines.allSatisfy { $0.count <= 40 } && lines[2].hasPrefix("1   xxxxxxxxxxxxxxxxxxxx"))
    #expect(hidden == 0)
  }

  @Test(arguments: [1, 7, 8, 20, 80, 200]) func columnsThatDoNotFitAreLeftOutAndCounted(_ width: Int) throws {
    let names = (0..<37).map { "property\($0)" }
    let (lines, hidden) = try table(names, [names, names], width: width)
    let shown = 37 - hidden
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= max(width, 8) }, "\(width)")
    #expect(lines.count == 4 && shown >= 1)
    // One more would not have fit.
    if hidden > 0 { #expect((shown + 1) * 10 - 2 > width) }
  }

  /// As terminals show them: pictures and characters of East Asia are two wide, marks and joiners nothing.
  @Test(arguments: [
    ("✅", 2), ("⭐", 2), ("⚡", 2), ("🚀", 2), ("🟢", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("🌡", 1), ("日本", 4), ("한", 2), ("ｱ", 1),
    ("Ａ", 2), ("e\u{301}", 1), ("a\u{200B}b", 2), ("→", 1), ("", 0),
  ]) func characters(_ text: String, areAsWideAs width: Int) { #expect(DisplayWidth.of(text) == width) }

  @Test func nothingIsLeftOutWhereNobodyLooks() throws {
    let names = (0..<37).map { "property\($0)" }
    #expect(try table(names, [names], width: nil).hidden == 0)
  }
}
