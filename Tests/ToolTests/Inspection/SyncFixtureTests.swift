import Foundation
import RealmInspection
import TestSupport
import Testing

/// Files that the original synchronised, and what it said of them.
@Suite(.mustEnd) struct SyncFixtureTests {
  private let directory = TestDirectory()

  private func json(_ text: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func sideCar(_ fixture: Fixture) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: fixture.sideCar) as? [String: Any])
  }

  @Test(arguments: sample(Fixture.files("sync")))
  func theStatusIsTheOriginals(_ fixture: Fixture) throws {
    let expected = try #require(try sideCar(fixture)["history"] as? [String: Any])
    let sync = try #require(try json(ToolRun.realm("stat", fixture.path, "--json").output[...])["synchronisation"] as? [String: Any])
    func cursor(_ name: String) throws -> [String: Any] { try #require(sync[name] as? [String: Any]) }
    let actual: [(String, Any?)] = [
      ("client_file_ident", sync["fileIdent"]), ("latest_server_version", sync["latestServerVersion"]),
      ("download_server_version", try cursor("download")["serverVersion"]), ("download_client_version", try cursor("download")["clientVersion"]),
      ("upload_server_version", try cursor("upload")["serverVersion"]), ("upload_client_version", try cursor("upload")["clientVersion"]),
      ("downloaded_bytes", sync["downloadedBytes"]), ("downloadable_bytes", sync["downloadableBytes"]),
      ("uploaded_bytes", sync["uploadedBytes"]), ("uploadable_bytes", sync["uploadableBytes"]), ("sync_history_size", sync["entries"]),
      ("history_schema_version", sync["schemaVersion"]),
    ]
    for (name, value) in actual { #expect(value as? Int == expected[name] as? Int && value is Int, "\(name)") }
  }

  @Test(arguments: sample(Fixture.files("sync")))
  func theEntriesAreTheOriginals(_ fixture: Fixture) throws {
    let expected = try #require(try sideCar(fixture)["entries"] as? [[String: Any]])
    let lines = try ToolRun.realm("history", fixture.path, "--json").output.split(separator: "\n").map { try json($0) }
    let actual = lines.filter { $0["sync"] != nil }
    #expect(actual.map { $0["version"] as? Int } == expected.map { $0["version"] as? Int })
    for (line, entry) in zip(actual, expected) {
      let sync = try #require(line["sync"] as? [String: Any])
      func count(_ name: String) -> Int? { ((sync[name] as? [String: Any])?["instructions"] as? [Any])?.count }
      #expect(sync["origin"] as? Int == entry["origin_file_ident"] as? Int)
      #expect(sync["serverVersion"] as? Int == entry["remote_version"] as? Int)
      #expect(count("changeset") == entry["instructions"] as? Int ?? 0)
      #expect((sync["reciprocal"] is NSNull) == (entry["reciprocal"] is NSNull))
      #expect(count("reciprocal") ?? 0 == entry["reciprocal_instructions"] as? Int ?? 0)
      let time = Date(timeIntervalSince1970: 1_420_070_400 + Double(try #require(entry["origin_timestamp"] as? Int)) / 1000)
      #expect((sync["time"] as? String)?.prefix(19) == time.formatted(.iso8601).prefix(19))
    }
  }

  @Test(arguments: Fixture.files("sync"))
  func everyCommandReadsThemAndNothingIsWrongWithThem(_ fixture: Fixture) throws {
    for arguments in [
      ["verify"], ["stat"], ["history"], ["dump"], ["schema"], ["schema", "--swift"], ["export"], ["export", "--format", "lossless"],
    ] { try ToolRun("realm", [arguments[0], fixture.path] + arguments.dropFirst()).expect(status: 0) }
  }

  @Test(arguments: Fixture.files("sync"))
  func compactionAndSalvageKeepWhatTheyPromise(_ fixture: Fixture) throws {
    let (path, saved) = (try directory.copy(fixture.name), directory.file("saved.realm"))
    func entries() throws -> [String] {
      try ToolRun.realm("history", path, "--json").output.split(separator: "\n").compactMap { line in
        line.range(of: "\"sync\"").map { String(line[$0.lowerBound...]) }
      }
    }
    let before = try entries()
    #expect(try ToolRun.realm("salvage", path, "-o", saved).status == 1)
    try ToolRun.realm("diff", path, saved).expect(status: 0, output: "")
    try ToolRun.realm("compact", path).expect(status: 0)
    #expect(try entries() == before && !before.isEmpty)
    try ToolRun.realm("diff", path, fixture.path).expect(status: 0, output: "")
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func queriesOfAFileAreTold() throws {
    let path = Fixture.path("sync/38-flx-set2-error.realm")
    let output = try ToolRun.realm("stat", path).output
    for line in [
      "subscription set 1  complete; stored in version 5", #"  "people" Person: age > 5 and name BEGINSWITH "A""#, "  All: TRUEPREDICATE",
      "subscription set 2  refused by the server: Invalid query: no such field; stored in version 7",
    ] { #expect(output.contains(line + "\n"), "\(line) in\n\(output)") }
    let sync = try #require(try json(ToolRun.realm("stat", path, "--json").output[...])["synchronisation"] as? [String: Any])
    let sets = try #require(sync["subscriptionSets"] as? [[String: Any]])
    #expect(sets.map { $0["state"] as? String } == ["complete", "error"])
    #expect((sets[0]["subscriptions"] as? [[String: Any]])?.first?["query"] as? String == #"age > 5 and name BEGINSWITH "A""#)
  }

  @Test func tablesThatOnlySynchronisationUsesAreNoClasses() throws {
    let path = try directory.copy("sync/38-flx-set2-error.realm")
    for arguments in [
      ["schema"], ["schema", "--swift"], ["schema", "--json-schema"], ["export"], ["export", "--format", "jsonl"],
      ["diff", try directory.write(OneObjectFile.bytes)],
    ] {
      let output = try ToolRun("realm", [arguments[0], path] + arguments.dropFirst()).output
      #expect(output.contains("Person") && !output.contains("flx_") && !output.contains("sync_internal_schemas"), "\(arguments)")
    }
    let classes = try #require(try json(ToolRun.realm("stat", path, "--json").output[...])["classes"] as? [[String: Any]])
    #expect(classes.map { $0["class"] as? String } == ["All", "Person", "Num", "Uu", "Address", "Tag"])
    // By name they can be looked at, but not changed.
    #expect(try ToolRun.realm("query", path, "--class", "flx_subscription_sets", "state == 4", "--count").output == "1\n")
    for arguments in [
      ["insert", path, "--class", "flx_subscription_sets", #"{"version": 7}"#], ["drop", "class", path, "flx_subscriptions"],
      ["set", path, "--class", "flx_subscription_sets", "version == 1", "state=1"],
    ] { try ToolRun("realm", arguments).expectError(2, about: path, "is no class: only synchronisation changes it; nothing was changed") }
  }
}
