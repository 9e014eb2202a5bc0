import Foundation
import RealmInspection
import RealmSync
import TestSupport
import Testing

@testable import RealmStorage

/// The commands on files that synchronise, made by this engine.
@Suite(.mustEnd) struct SyncCommandTests {
  private let directory = TestDirectory()

  /// A class Dog with an object of each number.
  private func addDogs(_ file: SyncFile, _ numbers: Int64...) throws {
    try file.write { group in
      let dog = try group.table(named: "class_Dog") ?? group.addTable("class_Dog")
      if dog.publicColumns.isEmpty {
        try dog.setPrimaryKey(dog.addColumn(ColumnDefinition("_id", .int)))
        try dog.addColumn(ColumnDefinition("name", .string, .nullable))
        try dog.addColumn(ColumnDefinition("tags", .string, .list))
      }
      for number in numbers { _ = try dog.createObject(primaryKey: .int(number)) }
    }
  }

  private func set(_ file: SyncFile, _ number: Int64, name: String, tag: String? = nil) throws -> [UInt8] {
    try file.write { group in
      let dog = try #require(try group.table(named: "class_Dog"))
      let key = try #require(try dog.find(primaryKey: .int(number)))
      try dog.set(key, dog.column(named: "name").key, Value(name))
      if let tag { try dog.collection(key, dog.column(named: "tags").key).insert(at: 0, Value(tag)) }
    }
  }

  /// File 2, whose second change met one of file 3; neither was uploaded.
  private func merged() throws -> SyncFile {
    let (file, other) = (try SyncFile(in: directory), try SyncFile())
    try file.database.setFileIdent(2, salt: 4_711_000)
    try other.database.setFileIdent(3, salt: 4_712_000)
    try addDogs(file, 1)
    _ = try set(file, 1, name: "Rex", tag: "good")
    try addDogs(other, 1)
    try file.receive(set(other, 1, name: "Bob", tag: "bad"), serverVersion: 5, origin: 3)
    return file
  }

  private func json(_ arguments: String...) throws -> [[String: Any]] {
    let run = try ToolRun("realm", arguments)
    run.expect(status: 0)
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// What the last version of a file changed for others.
  private func lastLines(_ path: String) throws -> [String] {
    let output = try ToolRun.realm("history", path, "--last", "1").output
    return output.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
  }

  // MARK: Reading

  @Test func statSaysHowFarTheFileHasCome() throws {
    let path = try merged().closed()
    let run = try ToolRun.realm("stat", path)
    run.expect(status: 0)
    for line in [
      "name with the server   file 2", "latest server version  5",
      "downloaded through     server version 5, which includes version 0 of this file", "history entries        3, from version 3 on",
    ] { #expect(run.output.contains(line + "\n"), "\(line) in\n\(run.output)") }
    #expect(run.output.contains("waiting for upload     2 with "))
    let sync = try #require(try json("stat", path, "--json")[0]["synchronisation"] as? [String: Any])
    #expect(sync["fileIdent"] as? Int == 2 && sync["waitingForUpload"] as? Int == 2 && sync["entries"] as? Int == 3)
    #expect(sync["waitingBytes"] as? Int == sync["uploadableBytes"] as? Int)
    #expect((sync["subscriptionSets"] as? [Any])?.isEmpty == true)
  }

  @Test func statKeepsTheSecretOfTheName() throws {
    let path = try merged().closed()
    for arguments in [["stat", path], ["stat", path, "--json"]] {
      let output = try ToolRun("realm", arguments).output
      #expect(!output.contains("4711000") && !output.contains("7777777"))
    }
  }

  @Test func aFileWithoutServerSaysNothingOfOne() throws {
    let path = try directory.write(OneObjectFile.bytes)
    #expect(try !ToolRun.realm("stat", path).output.contains("synchronisation"))
    #expect(try json("stat", path, "--json")[0]["synchronisation"] is NSNull)
  }

  @Test func historyTellsWhatWasChangedForOthersAndWhatMergingMadeOfIt() throws {
    let path = try merged().closed()
    let run = try ToolRun.realm("history", path)
    run.expect(status: 0)
    #expect(run.errors == "3 transactions in the file, 2 of them wait for upload\n")
    for line in [
      "  this file, 2015-01-01T00:00:01Z, on server version 0, waits for upload", "    CreateObject Dog[1]", #"    Update Dog[1].name = "Rex""#,
      "  after merging with what was downloaded since", "  file 3, 2015-01-01T00:00:02Z, integrated server version 5",
    ] { #expect(run.output.contains(line + "\n"), "\(line) in\n\(run.output)") }
    let last = try json("history", path, "--json", "--last", "2")
    #expect(last.map { $0["version"] as? Int } == [4, 5])
    let syncs = last.compactMap { $0["sync"] as? [String: Any] }
    try #require(syncs.count == 2)
    #expect(syncs.map { $0["origin"] as? Int } == [0, 3])
    let reciprocal = try #require(syncs[0]["reciprocal"] as? [String: Any])
    #expect((reciprocal["instructions"] as? [[String: Any]])?.first?["instr"] as? String == "ArrayInsert")
    #expect(((syncs[0]["changeset"] as? [String: Any])?["instructions"] as? [Any])?.count == 2)
  }

  @Test func aChangesetThatOnlyApplesSystemsReadIsSaidToBe() throws {
    let file = try SyncFile(in: directory)
    try addDogs(file, 1)
    let transaction = try file.database.beginWrite()
    transaction.synchronisation?.entry.changeset = [0x21, 200, 1, 2, 3]
    try transaction.commit()
    let path = file.closed()
    let run = try ToolRun.realm("history", path, "--last", "1")
    run.expect(status: 0)
    #expect(run.output.contains("cannot be read here: it is compressed with LZFSE"), "\(run.output)")
    let sync = try json("history", path, "--json", "--last", "1")[0]["sync"] as? [String: Any]
    #expect(((sync?["changeset"] as? [String: Any])?["unreadable"] as? String)?.contains("LZFSE") == true)
  }

  @Test func dumpNamesThePartsOfTheHistory() throws {
    let output = try ToolRun.realm("dump", merged().closed()).output
    for words in ["synchronisation history: refs", "    3 latest server version: #5\n", "history (origins)", "    16 origins: @"] {
      #expect(output.contains(words), "\(words)")
    }
  }

  @Test func readingCommandsReadAndAreNoParticipants() throws {
    let file = try merged()
    let path = file.path
    // Also while the file is open elsewhere.
    for arguments in [["schema"], ["export"], ["query", "--class", "Dog", "TRUEPREDICATE"], ["verify"], ["stat"], ["history"], ["dump"]] {
      try ToolRun("realm", [arguments[0], path] + arguments.dropFirst()).expect(status: 0)
    }
    #expect(try ToolRun.realm("query", path, "--class", "Dog", "tags.@count == 2", "--count").output == "1\n")
    #expect(try file.entries().count == 3)
  }

  // MARK: Writing

  @Test func whatCommandsChangeIsRecordedForOthers() throws {
    let file = try SyncFile(in: directory)
    try addDogs(file, 1)
    let path = file.closed()
    let toys = try directory.write(Array("_id,weight\n1,1.5\n2,2.5\n".utf8), as: "toys.csv")
    let commands: [([String], [String])] = [
      (["insert", path, "--class", "Dog", #"{"_id": 2, "name": "Bob", "tags": []}"#], ["CreateObject Dog[2]", #"Update Dog[2].name = "Bob""#]),
      (["set", path, "--class", "Dog", "_id == 2", "name=Ada"], [#"Update Dog[2].name = "Ada""#]),
      (["create", "property", path, "Dog", "best=Dog"], ["AddColumn Dog.best: Single Link? to Dog"]),
      (["link", path, "--class", "Dog", "_id == 1", "best", "2"], ["Update Dog[1].best = Dog[2]"]),
      (["link", path, "--class", "Dog", "_id == 1", "best", "2", "--remove"], ["Update Dog[1].best = null"]),
      (["delete", path, "--class", "Dog", "_id == 2"], ["EraseObject Dog[2]"]),
      (["create", "index", path, "Dog", "name"], ["nothing for others"]), (["drop", "property", path, "Dog", "best"], ["EraseColumn Dog.best"]),
      (
        ["create", "class", path, "Toy", "_id=int", "weight=double", "--primary-key", "_id"],
        ["AddTable Toy, TopLevel, by _id: Int", "AddColumn Toy.weight: Single Double"]
      ),
      (
        ["import", toys, "-o", path, "--class", "Toy"],
        ["CreateObject Toy[1]", "Update Toy[1].weight = 1.5", "CreateObject Toy[2]", "Update Toy[2].weight = 2.5"]
      ),
      (["drop", "class", path, "Toy"], ["EraseTable Toy"]),
    ]
    for (command, lines) in commands {
      try ToolRun("realm", command).expect(status: 0)
      #expect(try lastLines(path) == lines, "\(command)")
    }
    try ToolRun.realm("verify", path).expect(status: 0)
  }

  @Test func whatCannotBeToldToOthersIsRefused() throws {
    let file = try SyncFile(in: directory)
    try addDogs(file, 1)
    let path = file.closed()
    try ToolRun.realm("drop", "property", path, "Dog", "_id").expectError(
      2, about: path, "the primary key and the kind of class 'Dog' cannot change in a file that synchronises; nothing was changed")
    #expect(try ToolRun.realm("history", path).errors == "1 transaction in the file, 1 of them wait for upload\n")
  }

  @Test func renamingIsRefusedWhereItCannotBeTold() throws {
    let file = try SyncFile(in: directory)
    try addDogs(file, 1)
    for (rename, words) in [
      ({ try $0.group.renameTable($0.key, to: "class_Cat") }, "class 'Dog' cannot be renamed in a file that synchronises"),
      ({ try $0.renameColumn($0.column(named: "name").key, to: "title") }, "properties of class 'Dog' cannot be renamed"),
    ] as [((Table) throws -> Void, String)] {
      do {
        try file.write { group in try rename(try #require(try group.table(named: "class_Dog"))) }
        Issue.record("it was renamed")
      } catch StorageError.invalidArgument(let reason) { #expect(reason.hasPrefix(words)) }
    }
  }

  // MARK: Copies

  @Test func compactionKeepsTheHistoryByteForByte() throws {
    let file = try merged()
    let (entries, status) = (try file.entries(), try file.database.syncStatus())
    let path = file.closed()
    try ToolRun.realm("compact", path).expect(status: 0)
    let database = try Database.open(path: path)
    #expect(try SyncFile.entries(database) == entries)
    #expect(try database.syncStatus() == status && status.fileIdent == 2)
    #expect(try FileContents.violations(path) == [])
    database.close()
  }

  @Test func aCopyIsNoSecondFileOfTheSameName() throws {
    let file = try merged()
    try file.acknowledge()
    let path = file.closed()
    let copy = directory.file("copy.realm")
    let run = try ToolRun.realm("copy", path, copy)
    run.expect(status: 0)
    #expect(run.errors == "the copy synchronises as a file of its own, from where this one is\n")
    let sync = try #require(try json("stat", copy, "--json")[0]["synchronisation"] as? [String: Any])
    #expect(sync["fileIdent"] as? Int == 0)
    #expect((sync["download"] as? [String: Any])?["serverVersion"] as? Int == 5)
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
    try ToolRun.realm("verify", copy).expect(status: 0)
  }

  @Test func aCopyOfAFileWithUnsentChangesIsRefusedUnlessItIsToBeLocal() throws {
    let path = try merged().closed()
    let copy = directory.file("copy.realm")
    try ToolRun.realm("copy", path, copy).expectError(2, about: path, "the server may not have 2 of its transactions")
    #expect(!FileManager.default.fileExists(atPath: copy))
    let run = try ToolRun.realm("copy", path, copy, "--local")
    run.expect(status: 0)
    #expect(run.errors == "the copy does not synchronise\n")
    #expect(try json("stat", copy, "--json")[0]["synchronisation"] is NSNull)
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
    // An ordinary file from now on.
    try ToolRun.realm("delete", copy, "--class", "Dog", "TRUEPREDICATE").expect(status: 0)
    #expect(try json("stat", copy, "--json")[0]["synchronisation"] is NSNull)
  }

  @Test func salvageKeepsTheObjectsAndSaysThatTheRestIsLost() throws {
    let path = try merged().closed()
    let copy = directory.file("copy.realm")
    let run = try ToolRun.realm("salvage", path, "-o", copy)
    #expect(run.status == 1 && run.output == "saved 1 object\n")
    #expect(
      run.errors
        == "lost: the synchronisation, in which the new file takes no part; transactions that were not uploaded and stay in this file only: 2\n")
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
  }

  @Test func salvageOfAFileWithADamagedHistoryKeepsTheObjects() throws {
    let file = try merged()
    let read = try file.database.beginRead()
    let root = try TopArray(read.space, at: read.topRef).history
    read.end()
    let path = file.closed()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 0..<40 { bytes[Int(root.byteOffset) + index] = 0xFF }
    let (broken, copy) = (try directory.write(bytes, as: "broken.realm"), directory.file("copy.realm"))
    #expect(try ToolRun.realm("stat", broken).status == 3)
    let run = try ToolRun.realm("salvage", broken, "-o", copy)
    #expect(run.status == 1 && run.output == "saved 1 object\n" && run.errors.contains("what was not uploaded is unknown"), "\(run)")
    try ToolRun.realm("diff", path, copy).expect(status: 0, output: "")
  }

  @Test func whoWatchesIsToldOfDownloads() throws {
    let file = try merged()
    let other = try SyncFile()
    try addDogs(other, 1)
    let errors = directory.file("errors.txt")
    let watcher = try ChildProcess(
      PackageLocation.productDirectory + "/realm", ["watch", file.path, "--class", "Dog", "--count", "1"], input: .nothing,
      errors: .file(errors))
    #expect(waitUntil { (try? String(contentsOfFile: errors, encoding: .utf8))?.contains("watching") == true })
    try file.receive(set(other, 1, name: "Zoe"), serverVersion: 6, origin: 4, timestamp: 9000)
    #expect(try watcher.line()?.hasPrefix(#"~ Dog 1 name: "Bob" → "Zoe""#) == true)
    #expect(try watcher.waitForEnd() == 0)
  }
}
