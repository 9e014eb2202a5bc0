import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// `realm import` and `realm query`, from files to answers.
@Suite(.mustEnd) struct QueryCommandTests {
  @Test func argumentsAreWrittenAsTheToolWritesAndNamesValues() throws {
    let (directory, path) = { ($0, $0.file()) }(TestDirectory())
    defer { withExtendedLifetime(directory) {} }
    try ToolRun.realm("create", "class", path, "A", "b=data?", "m=decimal?", "t=date?", "--new").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "A", #"{"b": "AAE=", "m": "1.5", "t": "-62167219201:0"}"#).expect(status: 0)
    for (property, argument) in [
      ("b", #"{"data":"AAE="}"#), ("b", #"{"binary":"AAE="}"#), ("m", #"{"decimal":1.5}"#), ("m", #"{"decimal":"1.5"}"#),
      ("t", #"{"date":"-62167219201:0"}"#),
    ] {
      let run = try ToolRun.realm("query", path, "--class", "A", "\(property) == $0", "--arg", argument, "--count")
      run.expect(status: 0, output: "1\n")
    }
  }

  let directory = TestDirectory()

  private func write(_ text: String, as name: String) throws -> String { try directory.write(Array(text.utf8), as: name) }

  @Test func aTableOfTextIsImportedAndAsked() throws {
    let input = try write(
      "id,name,weight,born\n1,Rex,12.5,2020-01-31T12:00:00Z\n2,\"Fi\"\"do, jr\",9,\n3,,7.25,2021-01-31T12:00:00Z\n", as: "dogs.csv")
    let file = directory.file("dogs.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "Dog", "--primary-key", "id", "--quiet")
      .expect(status: 0, output: "imported 3 objects into Dog\n", errors: "")
    try ToolRun.realm("query", file, "--class", "Dog", "weight > $0", "--arg", "{\"double\": 8}", "--count").expect(status: 0, output: "2\n")
    try ToolRun.realm("query", file, "--class", "Dog", "TRUEPREDICATE SORT(weight ASC)", "--keys").expect(status: 0, output: "2\n1\n0\n")
    try ToolRun.realm("query", file, "--class", "Dog", "name CONTAINS ','", "--json").expect(
      status: 0, output: "{\"id\":2,\"name\":\"Fi\\\"do, jr\",\"weight\":9.0,\"born\":null}\n")
    try ToolRun.realm("query", file, "--class", "Dog", "name CONTAINS ','", "--format", "lossless-lines").expect(
      status: 0,
      output: "{\"table\":\"class_Dog\",\"key\":1,\"values\":{\"id\":2,\"name\":\"Fi\\\"do, jr\",\"weight\":{\"$double\":\"9.0\"},\"born\":null}}\n")
    try ToolRun.realm("query", file, "--class", "Dog", "id <= 2", "--quiet").expect(
      status: 0,
      output: """
        id  name       weight  born
        --  ---------  ------  --------------------
        1   Rex        12.5    2020-01-31T12:00:00Z
        2   Fi"do, jr  9.0     -

        """)
    let explained = try ToolRun.realm("query", file, "--class", "Dog", "weight > 8 && id == 1", "--explain")
    #expect(explained.status == 0 && explained.output.contains("1. scan: id == 1") && explained.output.hasSuffix("1 object selected\n"))
    try ToolRun.realm("verify", file).expect(status: 0)
  }

  @Test func nothingIsCutOffNumbersThatAreArguments() throws {
    let (input, file) = (try write("n,d\n3,3.5\n4,3.6\n-5,4.0\n", as: "q.csv"), directory.file("q.realm"))
    try ToolRun.realm("import", input, "-o", file, "--class", "Q", "--type", "d=double").expect(status: 0)
    for (query, argument, count) in [
      ("d == $0", "3.5", 1), ("d > $0", "3.55", 2), ("n > $0", "3.5", 1), ("n == $0", "3.0", 1), ("n < $0", "1e30", 3), ("n == $0", "-5", 1),
      ("n == $0", #"{"int": -5}"#, 1), ("n == $0", #"{"int": 3.0}"#, 1), ("n <= $0", "9223372036854775807", 3),
      ("n >= $0", "-9223372036854775808", 3),
      ("d == $0", #"{"double": 4}"#, 1),
    ] {
      let run = try ToolRun.realm("query", file, "--class", "Q", query, "--arg=" + argument, "--count")
      #expect(run.status == 0 && run.output == "\(count)\n", "\(query) \(argument): \(run)")
    }
    for argument in [
      #"{"int": 3.7}"#, #"{"int": 1e30}"#, #"{"int": 9223372036854775808}"#, "9223372036854775808", #"{"date": [0, 5000000000]}"#,
      #"{"date": [1.5, 0]}"#, #"{"objkey": 0.5}"#,
    ] {
      let run = try ToolRun.realm("query", file, "--class", "Q", "n < $0", "--arg", argument, "--count")
      #expect(run.status == 2 && run.errors.contains("the argument '\(argument)' is no value"), "\(argument): \(run)")
    }
  }

  @Test func anArgumentMayBeginWithAByteOrderMark() throws {
    let file = directory.file("b.realm")
    try ToolRun.realm("create", "class", file, "B", "s=string", "--new").expect(status: 0)
    try ToolRun.realm("insert", file, "--class", "B", "[{\"s\": \"\u{FEFF}x\"}, {\"s\": \"x\"}]").expect(status: 0)
    for argument in ["\"\u{FEFF}x\"", "{\"string\": \"\u{FEFF}x\"}", "{\"string\": \"\\ufeffx\"}", "{\"list\": [\"\u{FEFF}x\"]}"] {
      let query = argument.contains("list") ? "s IN $0" : "s == $0"
      let run = try ToolRun.realm("query", file, query, "--arg", argument, "--json")
      run.expect(status: 0, output: "{\"s\":\"\u{FEFF}x\"}\n")
    }
  }

  @Test func doublesAreFoundByWhatIsPrintedOfThem() throws {
    let numbers = ["2.0784007719238886", "-5.240707458162173", "1.7976931348623157e+308", "5e-324", "0.1", "1.2345678901234567e-30"]
    let file = directory.file("d.realm")
    try ToolRun.realm("import", try write("d\n" + numbers.joined(separator: "\n"), as: "d.csv"), "-o", file, "--class", "D").expect(status: 0)
    for number in numbers {
      for argument in [number, "{\"double\": \(number)}"] {
        let run = try ToolRun.realm("query", file, "--class", "D", "d == $0", "--arg=" + argument, "--format", "csv")
        #expect(run.output == "d\r\n\(number)\r\n", "\(argument): \(run)")
      }
    }
  }

  /// Every file of an application has a table `metadata`, which is no class.
  @Test func aClassIsAskedThatIsCalledAsATable() throws {
    let file = directory.file("m.realm")
    for (name, text) in [("Dog", "n\n1\n"), ("metadata", "n\n2\n"), ("class_Dog", "n\n3\n")] {
      try ToolRun.realm("import", try write(text, as: "m.csv"), "-o", file, "--class", name).expect(status: 0)
    }
    for (name, number) in [("Dog", 1), ("class_Dog", 3), ("metadata", 2), ("class_metadata", 2), ("class_class_Dog", 3)] {
      let json = "{\"n\":\(number)}\n"
      try ToolRun.realm("query", file, "--class", name, "TRUEPREDICATE", "--json").expect(status: 0, output: json)
      try ToolRun.realm("export", file, "--class", name, "--format", "jsonl").expect(status: 0, output: json)
      try ToolRun.realm("set", file, "--class", name, "n == \(number)", "n=\(number)").expect(
        status: 0, output: "changed 1 object of \(number == 1 ? "Dog" : number == 2 ? "metadata" : "class_Dog"): 0\n")
    }
  }

  @Test func nestedObjectsBecomeEmbeddedOnes() throws {
    let input = try write(
      "[{\"id\": 1, \"address\": {\"city\": \"Paris\"}, \"tags\": [\"a\"], \"pets\": [{\"n\": 1}, {\"n\": 2}]},\n {\"id\": 2, \"tags\": []}]",
      as: "p.json")
    let file = directory.file("p.realm")
    let run = try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id")
    #expect(run.errors == "  id: int\n  address: {city: string}?\n  tags: [string]\n  pets: [{n: int}]\n")
    for (query, count) in [("address.city == 'Paris'", 1), ("pets.n == 2", 1), ("tags.@count == 0", 1), ("address == NULL", 1)] {
      try ToolRun.realm("query", file, "--class", "Person", query, "--count").expect(status: 0, output: "\(count)\n")
    }
    try ToolRun.realm("verify", file).expect(status: 0)
    let again = try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id", "--quiet")
    #expect(again.status == 3 && again.errors.contains(":1: an object with the primary key 1 exists"))
    try ToolRun.realm("import", input, "-o", file, "--class", "Person", "--primary-key", "id", "--update", "--quiet").expect(status: 0)
    try ToolRun.realm("query", file, "--class", "Person", "TRUEPREDICATE", "--count").expect(status: 0, output: "2\n")
    try ToolRun.realm("verify", file).expect(status: 0)
  }

  @Test func badRowsAreNamedAndNothingIsImported() throws {
    let input = try write("{\"id\": 1, \"v\": 5}\n{\"id\": 2, \"v\": \n{\"id\": 1, \"v\": 6}\n[3]\n", as: "b.jsonl")
    let file = directory.file("b.realm")
    let run = try ToolRun.realm("import", input, "-o", file, "--class", "B", "--primary-key", "id", "--quiet")
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("\(input):2: a value is missing\n\(input):4: is no object\nerror: "))
    #expect(!FileManager.default.fileExists(atPath: file))
    let skipped = try ToolRun.realm("import", input, "-o", file, "--class", "B", "--primary-key", "id", "--skip-bad", "--batch", "1", "--quiet")
    #expect(skipped.status == 0 && skipped.output == "imported 1 object into B\n")
  }

  @Test func aRefusedQueryIsOneLineThatShowsThePlace() throws {
    let input = try write("a\n1\n", as: "a.csv")
    let file = directory.file("a.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "A", "--quiet").expect(status: 0)
    let run = try ToolRun.realm("query", file, "--class", "A", "a == 1 && b == 2")
    #expect(run.status == 2 && run.errors.contains("InvalidQuery: 'A' has no property 'b' (at byte 10)"))
    #expect(try ToolRun.realm("query", file, "--class", "Nope", "TRUEPREDICATE").status == 2)
  }

  /// People of three cities.
  private func people() throws -> String {
    let input = try write("id,city,age,score\n1,Oslo,30,1.5\n2,Lima,20,2.5\n3,Oslo,40,\n4,,20,4\n", as: "people.csv")
    let file = directory.file("people.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "P", "--primary-key", "id", "--quiet").expect(status: 0)
    return file
  }

  @Test func groupsAreOneLineEach() throws {
    let file = try people()
    func query(_ options: String...) throws -> ToolRun { try ToolRun("realm", ["query", file, "--class", "P"] + options) }
    // All objects are meant where no query is given.
    try query("--count").expect(status: 0, output: "4\n")
    try query("--group-by", "city").expect(
      status: 0,
      output: """
        city  count
        ----  -----
        -     1
        Lima  1
        Oslo  2

        """, errors: "")
    try query("age > 10", "--group-by", "city", "--sum", "score,age", "--max", "age", "--average", "score", "--format", "csv").expect(
      status: 0,
      output: "city,sum_score,sum_age,max_age,average_score\r\n,4.0,20,20,4.0\r\nLima,2.5,20,20,2.5\r\nOslo,1.5,70,40,1.5\r\n")
    try query("TRUEPREDICATE", "--group-by", "age,city", "--count", "--format", "jsonl", "--limit", "2").expect(
      status: 0, output: "{\"age\":20,\"city\":null,\"count\":1}\n{\"age\":20,\"city\":\"Lima\",\"count\":1}\n",
      errors: "the first 2; there are more\n")
    try query("TRUEPREDICATE", "--sum", "age", "--min", "score", "--json").expect(status: 0, output: "{\"sum_age\":110,\"min_score\":1.5}\n")
    try query("age > 100", "--average", "age", "--count", "--format", "json").expect(
      status: 0, output: "[\n{\"count\":0,\"average_age\":null}\n]\n")
    try query("TRUEPREDICATE", "--sum", "city").expectError(2, about: file, "'city' has no sum, as it is of type string")
    try query("TRUEPREDICATE", "--group-by", "town").expectError(
      2, about: file, "'P' has no property 'town'; its properties are id, city, age, score")
    try query("TRUEPREDICATE", "--group-by", "cyti").expectError(2, about: file, "did you mean 'city'?")
    try query("TRUEPREDICATE", "--group-by", "city", "--keys").expect(status: 2)
  }

  @Test func aggregatesAndGroupsOfMixedValuesSayWhatTheyAre() throws {
    let file = directory.file("mixed.realm")
    try ToolRun.realm("create", "class", file, "P", "id=string", "--primary-key", "id", "--new").expect(status: 0)
    try ToolRun.realm("create", "class", file, "M", "m=mixed", "d=double").expect(status: 0)
    try ToolRun.realm("insert", file, "--class", "P", #"{"id": "a"}"#).expect(status: 0)
    let values = ["[1]", "[2]", #"{"$link": {"class": "P", "key": "a"}}"#, #"{"$float": 1.5}"#]
    let objects = zip(values, ["NaN", "Inf", "-Inf", "1"]).map { #"{"m": \#($0), "d": "\#($1)"}"# }
    try ToolRun.realm("insert", file, "--class", "M", "[\(objects.joined(separator: ","))]").expect(status: 0)
    func query(_ options: String...) throws -> ToolRun { try ToolRun("realm", ["query", file, "--class", "M", "--format", "jsonl"] + options) }
    let plain = #"m.@type != "collection""#
    try query(plain, "--min", "m", "--max", "m").expect(
      status: 0, output: #"{"min_m":{"$float":1.5},"max_m":{"$link":{"class":"P","key":"a"}}}"# + "\n")
    #expect(try query("--max", "m").output.hasPrefix(#"{"max_m":["#))
    try query("--sum", "d").expect(status: 0, output: "{\"sum_d\":\"NaN\"}\n")
    try query("d > -1 && d != 1", "--group-by", "m").expect(
      status: 2, output: "",
      errors: "error: \(file): 'm' holds lists or dictionaries, by which objects are not grouped; --group-by takes the others of "
        + "'m.@type != \"collection\"'\n")
    #expect(try query(plain, "--group-by", "m").output.split(separator: "\n").count == 2)
  }

  @Test(
    arguments: [
      #"{"bool": 2}"#, #"{"bool": 0}"#, #"{"int": true}"#, #"{"double": false}"#, #"{"float": 1e40}"#, #"{"null": 5}"#,
      #"{"list": [1], "int": 2}"#,
    ])
  func argumentsOfAnotherTypeThanTheyNameAreRefused(_ argument: String) throws {
    let file = directory.file("one.realm")
    try ToolRun.realm("create", "class", file, "M", "m=mixed", "--new").expect(status: 0)
    let run = try ToolRun.realm("query", file, "--class", "M", "m == $0", "--arg", argument)
    #expect(run.status == 2 && run.errors.contains("the argument '\(argument)' is no value"), "\(run)")
  }

  @Test func columnsAreChosenAndLimitsSaid() throws {
    let file = try people()
    func query(_ options: String...) throws -> ToolRun { try ToolRun("realm", ["query", file, "--class", "P", "TRUEPREDICATE"] + options) }
    try query("--columns", "age,id", "--limit", "2").expect(
      status: 0,
      output: """
        age  id
        ---  --
        30   1
        20   2

        """, errors: "the first 2; there are more\n")
    try query("--columns", "score,city", "--json", "--limit", "4").expect(
      status: 0,
      output:
        "{\"score\":1.5,\"city\":\"Oslo\"}\n{\"score\":2.5,\"city\":\"Lima\"}\n{\"score\":null,\"city\":\"Oslo\"}\n{\"score\":4.0,\"city\":null}\n",
      errors: "")
    try query("--columns", "city", "--format", "csv", "--limit", "1").expect(
      status: 0, output: "city\r\nOslo\r\n", errors: "the first 1; there are more\n")
    try query("--columns", "agee").expectError(2, about: file, "did you mean 'age'?")
    try query("--limit", "0", "--keys").expect(status: 0, output: "", errors: "the first 0; there are more\n")
  }

  @Test func linksThatModelsNameAreExplainedAndAccepted() throws {
    let input = try write("id\n1\n2\n", as: "a.csv")
    let file = directory.file("zones.realm")
    try ToolRun.realm("import", input, "-o", file, "--class", "Country", "--primary-key", "id", "--quiet").expect(status: 0)
    try ToolRun.realm("create", "class", file, "Zone", "name=string", "countries=[Country]").expect(status: 0)
    try ToolRun.realm("insert", file, "--class", "Zone", "{\"name\": \"a\", \"countries\": [1]}").expect(status: 0)
    func query(_ text: String, _ options: String...) throws -> ToolRun {
      try ToolRun("realm", ["query", file, "--class", "Country", text, "--count"] + options)
    }
    let refused = try query("zones.@count > 0")
    refused.expectError(2, about: file, "'Country' has no property 'zones'")
    #expect(refused.errors.contains("write @links.Zone.countries, or give --links zones=Zone.countries"), "\(refused.errors)")
    try query("@links.Zone.countries.@count > 0").expect(status: 0, output: "1\n")
    try query("zones.@count > 0", "--links", "zones=Zone.countries").expect(status: 0, output: "1\n")
    try query("zones.name == 'a'", "--links", "zones=Zone.countries").expect(status: 0, output: "1\n")
    try query("TRUEPREDICATE", "--links", "zones").expect(status: 2)
    for links in ["zones=Zone.nope", "zones=Zone.name"] { try query("TRUEPREDICATE", "--links", links).expectError(2, about: file, "Zone") }
    // A name belongs to the class that the links lead to, along other links, too.
    try ToolRun.realm("query", file, "--class", "Zone", "ANY countries.zones.name == 'a'", "--links", "zones=Zone.countries", "--count")
      .expect(status: 0, output: "1\n")
  }

  @Test func manyObjectsAreWrittenAsOneByOne() throws {
    var text = "id,name\n"
    for number in 0..<3000 { text += "\(number),name \(number)\n" }
    let file = directory.file("many.realm")
    try ToolRun.realm("import", write(text, as: "many.csv"), "-o", file, "--class", "A", "--primary-key", "id", "--quiet").expect(status: 0)
    for query in ["TRUEPREDICATE", "id >= 10 SORT(id ASC)", "id IN {5, 7, 9}"] {
      let keys = try ToolRun.realm("query", file, "--class", "A", query, "--keys").output.split(separator: "\n")
      let rows = try ToolRun.realm("query", file, "--class", "A", query, "--format", "csv").output.split(separator: "\r\n").dropFirst()
      #expect(rows.map { $0.split(separator: ",")[0] } == keys)
      let table = try ToolRun.realm("query", file, "--class", "A", query)
      #expect(table.output.split(separator: "\n").count == keys.count + 2 && table.errors == "\(keys.count) objects\n")
    }
  }

  @Test(arguments: ["2020/01/31", "1/2/2020", "2020-02-30", "2020-1-5", "\"2020-01-31\""])
  func whatIsNoDateShowsHowOneIsWritten(_ text: String) throws {
    let file = directory.file("dated.realm")
    try ToolRun.realm("import", try write("d\n2020-01-31\n", as: "dated.csv"), "-o", file, "--class", "A", "--quiet").expect(status: 0)
    try ToolRun.realm("query", file, "--class", "A", "d == \(text)", "--count")
      .expectError(2, about: file, "write a date without quotes, as 2020-01-31 or 2020-01-31T12:00:00Z")
  }

  @Test(arguments: ["s == 2020-01-31", "n > 2020-01-31", "\"2020-01-31\" == d"])
  func whatIsNoDateIsNotSaidToBeOne(_ query: String) throws {
    let file = directory.file("undated.realm")
    let input = try write("s,n,d\ntext,5,2020-01-31T12:00:00Z\n", as: "undated.csv")
    try ToolRun.realm("import", input, "-o", file, "--class", "A", "--quiet").expect(status: 0)
    let run = try ToolRun.realm("query", file, "--class", "A", query)
    run.expectError(2, about: file, "; compare a property with what it holds: a date as 2020-01-31, a text as \"2020-01-31\"")
    #expect(!run.errors.contains("without quotes"))
  }

  @Test func datesAreUnderstoodAsImportsUnderstandThem() throws {
    let file = directory.file("dated.realm")
    try ToolRun.realm("import", try write("d,n\n2020-01-31T12:00:00Z,5\n", as: "dated.csv"), "-o", file, "--class", "A", "--quiet").expect(status: 0)
    for text in ["2020-01-31T12:00:00Z", "2020-01-31 12:00", "2020-01-31 12:00:00Z", "20200131T120000Z", "2020-01-31@12:00:00"] {
      try ToolRun.realm("query", file, "--class", "A", "d == \(text) && n > 4", "--count").expect(status: 0, output: "1\n")
    }
    try ToolRun.realm("query", file, "--class", "A", "d > 31.01.2020 && n == 10/2", "--count").expect(status: 0, output: "1\n")
    try ToolRun.realm("query", file, "--class", "A", "d > $0", "--arg", #"{"date": "2020-01-31"}"#, "--count").expect(status: 0, output: "1\n")
    try ToolRun.realm("query", file, "--class", "A", "d > $0", "--arg", #"{"date": "2020-01-32"}"#)
      .expectError(2, about: file, #"write one such as {"date": "2020-01-31T12:00:00Z"}"#)
  }

  @Test func sumsThatSixtyFourBitsDoNotHoldAreDecimals() throws {
    let file = directory.file("large.realm")
    let input = try write("g,n\n1,9223372036854775807\n1,9223372036854775807\n2,9223372036854775807\n2,1\n2,-1\n", as: "large.csv")
    try ToolRun.realm("import", input, "-o", file, "--class", "A", "--quiet").expect(status: 0)
    for options in [["TRUEPREDICATE"], ["n != 2 LIMIT(5)"]] {
      let run = try ToolRun(
        "realm", ["query", file, "--class", "A"] + options + ["--group-by", "g", "--sum", "n", "--average", "n", "--format", "jsonl"])
      let rows = [
        #"{"g":1,"sum_n":18446744073709551614,"average_n":9.223372036854776e+18}"#,
        #"{"g":2,"sum_n":9223372036854775807,"average_n":3.0744573456182584e+18}"#,
      ]
      run.expect(status: 0, output: rows.joined(separator: "\n") + "\n")
    }
  }

  @Test func groupsCallAPropertyAsTheExportDoes() throws {
    let path = directory.file("dollar.realm")
    let input = try directory.write(Array("{\"id\":1,\"$$c\":7}\n".utf8), as: "dollar.jsonl")
    try ToolRun.realm("import", input, "-o", path, "--class", "G").expect(status: 0)
    try ToolRun.realm("query", path, "--group-by", "$c", "--count", "--json").expect(status: 0, output: "{\"$$c\":7,\"count\":1}\n")
  }
}
