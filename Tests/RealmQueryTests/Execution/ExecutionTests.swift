import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

@Suite(.mustEnd) struct ExecutionTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  private func plan(_ text: String) throws -> QueryPlan { try Query(text).bind(sample.people, in: sample.group) }

  static let queries = [
    "age == 5", "age IN {1, 2, 3}", "age > 30 && name == 'Ann'", "name CONTAINS[c] 'B'", "height < 10", "height < 10.0", "height == nan",
    "dog.age > 5", "dog.age != 5", "ANY dogs.age > 10", "ALL dogs.age > 3", "NONE dogs.name == 'Rex'", "friend.friend.age < 10",
    "SUBQUERY(dogs, $d, $d.age > 5 && $d.name == 'Fido').@count > 0", "SUBQUERY(dogs, $d, $d.age > 5).@count * 2 == 4", "tags == 'red'",
    "born > T0:0 || price < 20", "NOT (isGood == true && age < 20)", "extra > 5", "extra == 'text'", "map.@count == 2", "scores.@max > 8",
    "notes TEXT 'hello'", "notes TEXT 'hel*' && age > 10", "notes TEXT '-hello'", "age == 5 || age == 7", "age == 5 || name == 'Ann'",
    "token == uuid(00000000-0000-0005-0000-000000000001)", "dog == NULL", "name < 'B'", "'B' > name", "speed > 2.5", "speed == 2.5",
    "@links.Person.friend.@count > 0", "@links.Person.friend.age > 20", "dogs.@count > 2", "age + 1 > height", "name LIKE '?n*'",
    "dog == O3", "dog != O3", "O3 == dog", "dog IN {O1, O3, NULL}", "NOT dog IN {O3}", "dog != ALL {O1, O3}", "NONE dog IN {O1, O3}",
    "NONE dog == O3", "NONE friend.dog IN {O1, O3}", "dog IN {O1, O2, O3, O4, O5, O6, O7, O8, O9, O10}",
    "friend.dog == O3", "friend.dog != O3", "friend.dog == NULL", "friend.friend == O5",
    "NOT friend.dog IN {O1, O2, O3, O4, O5, O6, O7, O8, O9, NULL}", "data < {1, 'x'}", "price < {1, NULL, 'x'}", "name < {1, NULL, 'x'}",
    "height != ALL {1, 2.5, 'x', NULL}",
  ]

  @Test(arguments: queries)
  func `kernels, indexes and single objects agree`(text: String) throws {
    var plan = try plan(text)
    let keys = try plan.execute()
    #expect(try plan.count() == keys.count)
    #expect(try plan.first() == keys.first)
    #expect(try plan.isEmpty() == keys.isEmpty)
    for order in ["SORT(age DESC)", "SORT(name ASC)", "DISTINCT(age)", "SORT(age ASC) DISTINCT(name)", "LIMIT(3)", "LIMIT(0)"] {
      let ordered = try self.plan("\(text) \(order)")
      let orderedKeys = try ordered.execute()
      #expect(try ordered.first() == orderedKeys.first, "\(order)")
      #expect(try ordered.isEmpty() == orderedKeys.isEmpty, "\(order)")
    }
    // Of a list: some that are in it twice, some that do not exist; of many and of few.
    let list = try sample.people.keys().flatMap { [$0, ObjectKey($0.rawValue * 7 % 311), ObjectKey(1_000_000 + $0.rawValue)] }
    let matching = Set(keys)
    #expect(try plan.execute(.keys(list)) == list.filter(matching.contains))
    #expect(try plan.execute(.keys(Array(list.prefix(30)))) == list.prefix(30).filter(matching.contains))
    plan.options = .ignoresIndexes
    #expect(try plan.execute() == keys)
    #expect(try plan.isEmpty() == keys.isEmpty)
    plan.options = .evaluatesEachObject
    #expect(try plan.execute() == keys)
    #expect(try sample.people.keys().filter { try plan.matches($0) } == keys)
    #expect(try plan.explain().resultCount == keys.count)
    #expect(try Array(sample.keys(text + " LIMIT(3)")) == keys.prefix(3).map(\.rawValue))
  }

  @Test(arguments: [
    "dog == O3", "O3 != dog", "dog == NULL", "dog IN {O1, O2, O3, O4, O5, O6, O7, O8, O9, NULL}", "friend.dog == O3", "friend.friend.dog != O3",
  ])
  func `kernels compare links`(text: String) throws {
    #expect(try LeafCompiler(table: sample.people, cancellation: nil).compile(plan(text).condition).isMadeOfKernels)
  }

  @Test func `an index answers rare values and leaves frequent ones to the scan`() throws {
    #expect(try plan("age == 5").selectedIndex()?.estimate == 5)
    #expect(try plan("isGood == true").selectedIndex() == nil)
    #expect(try plan("age IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}").selectedIndex() == nil)
    #expect(try plan("age == 5 && isGood == true").selectedIndex()?.isExact == false)
    #expect(try plan("age > 5").selectedIndex() == nil)
  }

  @Test func `results keep the order of their source`() throws {
    let plan = try plan("isGood == true")
    let keys = [9, 8, 7, 6, 8, 2, 1000].map { ObjectKey($0) }
    #expect(try plan.execute(.keys(keys)).map(\.rawValue) == [8, 6, 8, 2])
    let person = try sample.people.keys()[3]
    let list = try sample.people.collection(person, sample.people.column(named: "dogs").key)
    let links = try list.all().compactMap(\.liveLink)
    #expect(try Query("age >= 0 || age == NULL").bind(sample.dogs, in: sample.group).execute(.collection(list)) == links)
  }

  @Test func `sorting, distinct and limit are stages`() throws {
    let ages = try sample.keys("TRUEPREDICATE SORT(age DESC, id ASC) LIMIT(5)")
    #expect(ages == [59, 119, 179, 239, 299])
    #expect(try sample.keys("TRUEPREDICATE DISTINCT(age)").count == 60)
    #expect(try sample.keys("TRUEPREDICATE LIMIT(50) DISTINCT(isGood)") == [0, 1])
    #expect(try sample.keys("TRUEPREDICATE SORT(id ASC) SORT(age ASC) LIMIT(2)") == [0, 60])
    let byDog = try sample.keys("TRUEPREDICATE SORT(dog.name ASC, id ASC)")
    #expect(byDog.suffix(200).allSatisfy { $0 % 3 != 0 }, "null links come last")
  }

  @Test func `a cancelled task ends its query`() async throws {
    let task = Task { () -> String in
      let sample = try QuerySample()
      while !Task.isCancelled { await Task.yield() }
      do {
        _ = try Query("age > 3 && name CONTAINS 'a'").bind(sample.people, in: sample.group).execute()
        return "answered"
      } catch { return "\(error)" }
    }
    task.cancel()
    #expect(try await task.value == "cancelled")
  }

  @Test func `aggregates of properties leave out nulls and NaN`() throws {
    let height = try PropertyAggregate(sample.people, "height")
    #expect(try height.compute(.min, over: .table).value.queryText == "1.0")
    #expect(try height.compute(.average, over: .keys([])).value.queryText == "NULL")
    #expect(try PropertyAggregate(sample.people, "age").compute(.sum, over: .table).value.queryText == "8850")
    #expect(try PropertyAggregate(sample.people, "born").supports(.sum) == false)
  }
}

@Suite(.mustEnd) struct QueryDependencyTests {
  let sample: QuerySample
  init() throws { sample = try QuerySample() }

  @Test(arguments: [
    ("age > 3", 1, false), ("dog.age > 3", 2, false), ("ANY dogs.name == 'x' || friend.age > 3", 2, false), ("friend.age > 3", 1, false),
    ("SUBQUERY(dogs, $d, $d.@links.Person.dogs.age > 3).@count > 0", 2, false), ("extra.name == 'x'", 1, true), ("@links.@count > 0", 1, true),
    ("TRUEPREDICATE SORT(dog.name ASC)", 2, false),
  ])
  func `a plan names the tables it depends on`(text: String, tableCount: Int, isOpen: Bool) throws {
    let dependencies = try Query(text).bind(sample.people, in: sample.group).dependencies
    #expect(dependencies.tables.count == tableCount)
    #expect(dependencies.includesAllTables == isOpen)
  }
}
