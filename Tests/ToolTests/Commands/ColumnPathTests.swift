import TestSupport
import Testing

/// Columns, groups and sums over properties of objects that links lead to, and names that hold what separates them.
@Suite(.mustEnd) struct ColumnPathTests {
  let directory = TestDirectory()
  private var file: String { directory.file("people.realm") }

  private func makeFile() throws {
    try ToolRun.realm("create", "class", file, "Address", "city=string?", "tags=[string]", "--embedded", "--new").expect(status: 0)
    try ToolRun.realm("create", "class", file, "Person", "name=string", "age=int", "home=Address", "friend=Person", "--primary-key", "name")
      .expect(status: 0)
    try ToolRun.realm("create", "class", file, "Dog", "n=int", "owner=Person", "owners=[Person]", "a, b=string?", "a\"b.c=int?", "any=mixed")
      .expect(status: 0)
    let people = #"""
      [{"name": "ann", "age": 3, "home": {"city": "Köln", "tags": ["x", "y"]}},
       {"name": "bob", "age": 40, "home": {"city": null, "tags": []}}, {"name": "cid", "age": 5, "home": null}]
      """#
    try ToolRun.realm("insert", file, "--class", "Person", people).expect(status: 0)
    try ToolRun.realm("link", file, "--class", "Person", "name IN {'ann', 'bob'}", "friend", "bob").expect(status: 0)
    let dogs = #"""
      [{"n": 1, "owner": "ann", "a, b": "x", "a\"b.c": 7}, {"n": 2, "owner": "bob"}, {"n": 3}, {"n": 4, "owner": "ann"}, {"n": 5, "owner": "cid"}]
      """#
    try ToolRun.realm("insert", file, "--class", "Dog", dogs).expect(status: 0)
  }

  private func query(_ options: String...) throws -> ToolRun { try ToolRun("realm", ["query", file, "--class", "Dog", "--quiet"] + options) }

  @Test func columnsLeadOverLinksAndEmbeddedObjects() throws {
    try makeFile()
    let columns = "n,owner.name,owner.home.city,owner.home.tags,owner.friend"
    try query("--columns", columns).expect(
      status: 0,
      output: """
        n  owner.name  owner.home.city  owner.home.tags  owner.friend
        -  ----------  ---------------  ---------------  ------------
        1  ann         Köln             ["x","y"]        "bob"
        2  bob         -                []               "bob"
        3  -           -                -                -
        4  ann         Köln             ["x","y"]        "bob"
        5  cid         -                -                -

        """)
    try query("n < 4", "--columns", columns, "--json").expect(
      status: 0,
      output: """
        {"n":1,"owner.name":"ann","owner.home.city":"Köln","owner.home.tags":["x","y"],"owner.friend":"bob"}
        {"n":2,"owner.name":"bob","owner.home.city":null,"owner.home.tags":[],"owner.friend":"bob"}
        {"n":3,"owner.name":null,"owner.home.city":null,"owner.home.tags":null,"owner.friend":null}

        """)
    try query("n > 1 SORT(n DESC)", "--limit", "2", "--columns", "owner.age,n", "--format", "json").expect(
      status: 0, output: "[\n{\"owner.age\":5,\"n\":5},\n{\"owner.age\":3,\"n\":4}\n]\n")
    try query("n == 1", "--columns", "owner.friend.home", "--json", "--expand", "1").expect(
      status: 0, output: "{\"owner.friend.home\":{\"city\":null,\"tags\":[]}}\n")
    try query("n < 4", "--columns", "owner.home.city,owner.home.tags,n", "--format", "csv", "--null", "NA").expect(
      status: 0, output: "owner.home.city,owner.home.tags,n\r\nKöln,\"[\"\"x\"\",\"\"y\"\"]\",1\r\nNA,[],2\r\nNA,NA,3\r\n")
  }

  @Test func objectsAreGroupedByPathsAndTheirValuesAddedUp() throws {
    try makeFile()
    try query("--group-by", "owner.home.city", "--count", "--sum", "owner.age,n", "--json").expect(
      status: 0,
      output: """
        {"owner.home.city":null,"count":3,"sum_owner.age":45,"sum_n":10}
        {"owner.home.city":"Köln","count":2,"sum_owner.age":6,"sum_n":5}

        """)
    try query("--group-by", "owner", "--group-by", "owner.age", "--format", "csv").expect(
      status: 0, output: "owner,owner.age,count\r\n,,1\r\n\"\"\"ann\"\"\",3,2\r\n\"\"\"bob\"\"\",40,1\r\n\"\"\"cid\"\"\",5,1\r\n")
    try query("n < 3", "--max", "owner.age", "--average", "owner.age", "--json").expect(
      status: 0, output: "{\"max_owner.age\":40,\"average_owner.age\":21.5}\n")
  }

  /// What a query with the path itself selects is what a group counts.
  @Test func groupsHoldWhatQueriesOfThePathSelect() throws {
    try makeFile()
    for (city, value) in [("Köln", "'Köln'"), (nil, "NULL")] {
      let line = try query("owner.home.city == \(value)", "--group-by", "owner.home.city", "--json").output
      let count = try query("owner.home.city == \(value)", "--count").output.dropLast()
      #expect(line == "{\"owner.home.city\":\(city.map { "\"\($0)\"" } ?? "null"),\"count\":\(count)}\n")
    }
  }

  @Test func namesThatHoldCommasDotsOrQuotesStandInQuotes() throws {
    try makeFile()
    try query("n == 1", "--columns", #""a, b",n,"a""b.c""#, "--json").expect(status: 0, output: #"{"a, b":"x","n":1,"a\"b.c":7}"# + "\n")
    // Without quotes where nothing else is meant, as ever.
    try query("n == 1", "--columns", #"a"b.c"#, "--json").expect(status: 0, output: #"{"a\"b.c":7}"# + "\n")
    try query("n == 1", "--group-by", #""a, b""#, "--sum", #""a""b.c""#, "--json").expect(status: 0, output: #"{"a, b":"x","sum_a\"b.c":7}"# + "\n")
    try query("--columns", #""a, b"#).expect(
      status: 2, errors: #"error: \#(file): a quote in '"a, b' is not closed; write a name as "first, last", and a quote in it twice"# + "\n")
  }

  @Test(arguments: [
    ("owner.nam", "'Person' has no property 'nam'; did you mean 'name'?"), ("owner.", "'Person' has no property ''; its properties are"),
    ("owners.name", "'owners.name' leads nowhere: 'owners' of 'Dog' holds several values; paths lead over single links"),
    ("n.name", "'n.name' leads nowhere: 'n' of 'Dog' is no link; paths lead over single links"),
    ("any.name", "'any' of 'Dog' is no link"), ("owner.name,owner.name", "two columns would be called 'owner.name'; leave one of them out"),
    (".", "'Dog' has no property ''"),
  ]) func aPathThatLeadsNowhereIsRefused(_ path: String, _ words: String) throws {
    try makeFile()
    for option in ["--columns", "--group-by"] {
      let run = try query(option, path)
      #expect(run.status == 2 && run.errors.contains(words), "\(option): \(run)")
    }
  }
}
