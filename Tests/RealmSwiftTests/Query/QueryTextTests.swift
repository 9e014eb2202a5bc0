import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private typealias Asking = (Query<QueryPerson>) -> Query<Bool>

/// Compares the format string, and the arguments by how they print.
private func expect(
  _ format: String, _ arguments: [Any] = [], sourceLocation: SourceLocation = #_sourceLocation, _ isIncluded: Asking
) {
  let (text, values) = isIncluded(Query<QueryPerson>())._constructForTesting()
  #expect(text == format, sourceLocation: sourceLocation)
  #expect(values.map { "\($0)" } == arguments.map { "\(DynamicInput.unwrapped($0))" }, sourceLocation: sourceLocation)
}

@Suite(.mustEnd) struct QueryTextTests {
  @Test func comparisonsHaveAConstantOnTheRight() {
    expect("(a == %@)", [3]) { $0.a == 3 }
    expect("(a != %@)", [3]) { $0.a != 3 }
    expect("(a > %@)", [3]) { $0.a > 3 }
    expect("(a >= %@)", [3]) { $0.a >= 3 }
    expect("(a < %@)", [3]) { $0.a < 3 }
    expect("(a <= %@)", [3]) { $0.a <= 3 }
  }

  @Test func everyKindOfValueCanBeCompared() {
    let date = Date(timeIntervalSince1970: 5)
    let uuid = UUID()
    let oid = ObjectId.generate()
    expect("(i8 > %@)", [Int8(1)]) { $0.i8 > 1 }
    expect("(i16 > %@)", [1]) { $0.i16 > 1 }
    expect("(i32 > %@)", [1]) { $0.i32 > 1 }
    expect("(i64 > %@)", [1]) { $0.i64 > 1 }
    expect("(f > %@)", [Float(1.5)]) { $0.f > 1.5 }
    expect("(d > %@)", [1.5]) { $0.d > 1.5 }
    expect("(dec > %@)", [Decimal128(1)]) { $0.dec > 1 }
    expect("(date > %@)", [date]) { $0.date > date }
    expect("(s > %@)", ["x"]) { $0.s > "x" }
    expect("(data == %@)", [Data([1])]) { $0.data == Data([1]) }
    expect("(oid == %@)", [oid]) { $0.oid == oid }
    expect("(uuid == %@)", [uuid]) { $0.uuid == uuid }
    expect("(mixed == %@)", [AnyRealmValue.int(3)]) { $0.mixed == .int(3) }
    expect("(mixed > %@)", [AnyRealmValue.int(3)]) { $0.mixed > .int(3) }
    expect("(level == %@)", [QueryLevel.high]) { $0.level == .high }
    expect("(level > %@)", [QueryLevel.low]) { $0.level > .low }
    expect("(colour > %@)", [QueryColour.red]) { $0.colour > .red }
    expect("(height > %@)", [QueryMetres(2)]) { $0.height > QueryMetres(2) }
    expect("(flag == %@)", [true]) { $0.flag == true }
    expect("(optFlag == %@)", [false]) { $0.optFlag == false }
  }

  @Test func nilIsNSNullAndOptionalsAreUnwrapped() {
    expect("(optA == %@)", [NSNull()]) { $0.optA == nil }
    expect("(optA == %@)", [3]) { $0.optA == 3 }
    expect("(optA > %@)", [3]) { $0.optA > 3 }
    expect("(optS != %@)", [NSNull()]) { $0.optS != nil }
    expect("(friend == %@)", [NSNull()]) { $0.friend == nil }
    expect("(pet.nickname == %@)", [NSNull()]) { $0.pet.nickname == nil }
    expect("(optLevel == %@)", [QueryLevel.high]) { $0.optLevel == .high }
    let optional: Int? = 7
    expect("(optA == %@)", [7]) { $0.optA == optional }
  }

  @Test func columnsCanBeComparedWithEachOther() {
    expect("(a == b)") { $0.a == $0.b }
    expect("(a <= b)") { $0.a <= $0.b }
    expect("(a != friend.b)") { $0.a != $0.friend.b }
    expect("(s BEGINSWITH[c] t)") { $0.s.starts(with: $0.t, options: .caseInsensitive) }
    expect("(s LIKE t)") { $0.s.like($0.t) }
    expect("(optS CONTAINS t)") { $0.optS.contains($0.t) }
    expect("(s == optS)") { $0.s.equals($0.optS) }
  }

  @Test func stringOperatorsHaveTheirOptionsInBrackets() {
    expect("(s CONTAINS %@)", ["x"]) { $0.s.contains("x") }
    expect("(s CONTAINS[c] %@)", ["x"]) { $0.s.contains("x", options: .caseInsensitive) }
    expect("(s CONTAINS[d] %@)", ["x"]) { $0.s.contains("x", options: .diacriticInsensitive) }
    expect("(s CONTAINS[cd] %@)", ["x"]) { $0.s.contains("x", options: [.caseInsensitive, .diacriticInsensitive]) }
    expect("(s BEGINSWITH %@)", ["x"]) { $0.s.starts(with: "x") }
    expect("(s ENDSWITH[cd] %@)", ["x"]) { $0.s.ends(with: "x", options: [.diacriticInsensitive, .caseInsensitive]) }
    expect("(s ==[c] %@)", ["x"]) { $0.s.equals("x", options: .caseInsensitive) }
    expect("(s !=[d] %@)", ["x"]) { $0.s.notEquals("x", options: .diacriticInsensitive) }
    expect("(s LIKE %@)", ["x*"]) { $0.s.like("x*") }
    expect("(s LIKE[c] %@)", ["x*"]) { $0.s.like("x*", caseInsensitive: true) }
    expect("(optS BEGINSWITH %@)", ["x"]) { $0.optS.starts(with: "x") }
    expect("(optS ENDSWITH %@)", [NSNull()]) { $0.optS.ends(with: nil) }
    expect("(data CONTAINS %@)", [Data([1])]) { $0.data.contains(Data([1])) }
    expect("(optData BEGINSWITH %@)", [Data([1])]) { $0.optData.starts(with: Data([1])) }
    expect("(mixed CONTAINS %@)", [AnyRealmValue.string("x")]) { $0.mixed.contains(.string("x")) }
    expect("(colour CONTAINS[c] %@)", ["r"]) { $0.colour.rawValue.contains("r", options: .caseInsensitive) }
    expect("(s TEXT %@)", ["word -other"]) { $0.s.fullText("word -other") }
  }

  @Test func membershipTakesAnySequence() {
    expect("(a IN %@)", [[1, 2, 3]]) { $0.a.in([1, 2, 3]) }
    expect("(a IN %@)", [[1, 2, 3]]) { $0.a.in(1...3) }
    expect("(optA IN %@)", [[1, NSNull()] as [Any]]) { $0.optA.in([1, nil]) }
    let plain = [1, 2]
    expect("(optA IN %@)", [[1, 2]]) { $0.optA.in(plain) }
    expect("(s IN %@)", [["x"]]) { $0.s.in(Set(["x"])) }
    expect("(level IN %@)", [[QueryLevel.low]]) { $0.level.in([.low]) }
    expect("(ANY pets.age IN %@)", [[1]]) { $0.pets.age.in([1]) }
  }

  @Test func rangesAreBetweenOrTwoComparisons() {
    expect("(a BETWEEN {%@, %@})", [1, 3]) { $0.a.contains(1...3) }
    expect("((a >= %@) && (a < %@))", [1, 3]) { $0.a.contains(1..<3) }
    expect("(optD BETWEEN {%@, %@})", [1.5, 3.5]) { $0.optD.contains(1.5...3.5) }
    expect("((optD >= %@) && (optD < %@))", [1.5, 3.5]) { $0.optD.contains(1.5..<3.5) }
    expect("((s >= %@) && (s < %@))", ["a", "b"]) { $0.s.contains("a"..<"b") }
    expect("(level BETWEEN {%@, %@})", [QueryLevel.low, QueryLevel.high]) { $0.level.contains(.low ... .high) }
    expect("(ANY pets.age BETWEEN {%@, %@})", [1, 3]) { $0.pets.age.contains(1...3) }
  }

  @Test func eachCompoundAddsParentheses() {
    expect("((a == %@) && (b == %@))", [1, 2]) { $0.a == 1 && $0.b == 2 }
    expect("((a == %@) || (b == %@))", [1, 2]) { $0.a == 1 || $0.b == 2 }
    expect("(((a == %@) && (b == %@)) || (d == %@))", [1, 2, 3.0]) { $0.a == 1 && $0.b == 2 || $0.d == 3 }
    expect("((a == %@) && ((b == %@) || (d == %@)))", [1, 2, 3.0]) { $0.a == 1 && ($0.b == 2 || $0.d == 3) }
  }

  @Test func negationStandsInsideComparisonsAndBeforeCompounds() {
    expect("(NOT a == %@)", [1]) { !($0.a == 1) }
    expect("(NOT s CONTAINS[c] %@)", ["x"]) { !$0.s.contains("x", options: .caseInsensitive) }
    expect("(NOT a IN %@)", [[1]]) { !$0.a.in([1]) }
    expect("NOT ((a == %@) && (b == %@))", [1, 2]) { !($0.a == 1 && $0.b == 2) }
    expect("NOT ((a >= %@) && (a < %@))", [1, 2]) { !$0.a.contains(1..<2) }
    expect("((a == %@) && NOT ((b == %@) || (d == %@)))", [1, 2, 3.0]) { $0.a == 1 && !($0.b == 2 || $0.d == 3) }
    expect("(NOT SUBQUERY(pets, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) { !(($0.pets.age == 1).count > 0) }
  }

  @Test func negationIsNeitherLostNorDoubled() {
    expect("(NOT a BETWEEN {%@, %@})", [1, 3]) { !$0.a.contains(1...3) }
    expect("(a == %@)", [1]) { !(!($0.a == 1)) }
    expect("(NOT a == %@)", [1]) { !(!(!($0.a == 1))) }
    let circle = GeoCircle(center: (1, 2), radiusInRadians: 0.5)!
    expect("(NOT place IN %@)", [circle]) { !$0.place.geoWithin(circle) }
  }

  @Test func boolPropertiesAloneAreComparedWithTrue() {
    expect("flag == true") { $0.flag }
    expect("flag == false") { !$0.flag }
    expect("(flag == true && otherFlag == false)") { $0.flag && !$0.otherFlag }
    expect("(flag == true || (a == %@))", [1]) { $0.flag || $0.a == 1 }
    expect("NOT (flag == true && otherFlag == true)") { !($0.flag && $0.otherFlag) }
    expect("ANY pets.isGood == true") { $0.pets.isGood }
    expect("pet.isGood == true") { $0.pet.isGood }
  }

  @Test func linksAreJoinedByDots() {
    expect("(friend.a == %@)", [1]) { $0.friend.a == 1 }
    expect("(friend.friend.s == %@)", ["x"]) { $0.friend.friend.s == "x" }
    expect("(place.name == %@)", ["x"]) { $0.place.name == "x" }
    expect("(friend.pet.place.name == %@)", ["x"]) { $0.friend.pet.place.name == "x" }
  }

  @Test func membersOfCollectionsAreAny() {
    expect("(ANY pets.age > %@)", [3]) { $0.pets.age > 3 }
    expect("(ANY petSet.name BEGINSWITH %@)", ["R"]) { $0.petSet.name.starts(with: "R") }
    expect("(ANY places.name == %@)", ["x"]) { $0.places.name == "x" }
    expect("(ANY friend.pets.age > %@)", [3]) { $0.friend.pets.age > 3 }
    expect("(ANY pets.scores == %@)", [3]) { $0.pets.scores == 3 }
    expect("(ANY pets.owners.a == %@)", [3]) { $0.pets.owners.a == 3 }
    let (text, _) = Query<QueryPet>().owners.a.contains(1..<2)._constructForTesting()
    #expect(text == "((ANY owners.a >= %@) && (ANY owners.a < %@))")
  }

  @Test func collectionsOfValuesCompareTheirElements() {
    let date = Date(timeIntervalSince1970: 5)
    expect("(ANY ints == %@)", [3]) { $0.ints == 3 }
    expect("(ANY ints != %@)", [3]) { $0.ints != 3 }
    expect("(ANY ints > %@)", [3]) { $0.ints > 3 }
    expect("(ANY ints <= %@)", [3]) { $0.ints <= 3 }
    expect("(ANY optInts == %@)", [NSNull()]) { $0.optInts == nil }
    expect("(ANY optInts >= %@)", [3]) { $0.optInts >= 3 }
    expect("(ANY strings == %@)", ["x"]) { $0.strings == "x" }
    expect("(ANY dates < %@)", [date]) { $0.dates < date }
    expect("(ANY anys == %@)", [AnyRealmValue.int(3)]) { $0.anys == .int(3) }
    expect("(ANY levels == %@)", [QueryLevel.low]) { $0.levels == .low }
  }

  @Test func containmentHasTheConstantOnTheLeft() {
    expect("(%@ IN ints)", [3]) { $0.ints.contains(3) }
    expect("(%@ IN optInts)", [NSNull()]) { $0.optInts.contains(nil) }
    expect("(%@ IN strings)", ["x"]) { $0.strings.contains("x") }
    expect("(%@ IN map)", [3]) { $0.map.contains(3) }
    expect("(NOT %@ IN ints)", [3]) { !$0.ints.contains(3) }
    expect("(ANY ints IN %@)", [[1, 2]]) { $0.ints.containsAny(in: [1, 2]) }
    expect("(ANY map IN %@)", [[1, 2]]) { $0.map.containsAny(in: [1, 2]) }
    expect("(%@ IN levels)", [QueryLevel.low]) { $0.levels.contains(.low) }
  }

  @Test func collectionsLieInARangeByTheirExtremes() {
    expect("((ints.@min >= %@) && (ints.@max <= %@))", [1, 3]) { $0.ints.contains(1...3) }
    expect("((ints.@min >= %@) && (ints.@max < %@))", [1, 3]) { $0.ints.contains(1..<3) }
    expect("((optInts.@min >= %@) && (optInts.@max <= %@))", [1, 3]) { $0.optInts.contains(1...3) }
    expect("((map.@min >= %@) && (map.@max < %@))", [1, 3]) { $0.map.contains(1..<3) }
    expect("((optMap.@min >= %@) && (optMap.@max < %@))", [1, 3]) { $0.optMap.contains(1..<3) }
  }

  @Test func aggregatesHaveNoAny() {
    expect("(ints.@count == %@)", [3]) { $0.ints.count == 3 }
    expect("(pets.@count >= %@)", [3]) { $0.pets.count >= 3 }
    expect("(ints.@min == %@)", [3]) { $0.ints.min == 3 }
    expect("(ints.@max > %@)", [3]) { $0.ints.max > 3 }
    expect("(ints.@avg < %@)", [3]) { $0.ints.avg < 3 }
    expect("(ints.@sum <= %@)", [3]) { $0.ints.sum <= 3 }
    expect("(optInts.@min == %@)", [NSNull()]) { $0.optInts.min == nil }
    expect("(map.@sum == %@)", [3]) { $0.map.sum == 3 }
    expect("(map.@count == %@)", [3]) { $0.map.count == 3 }
    expect("(friend.ints.@max == %@)", [3]) { $0.friend.ints.max == 3 }
    expect("(ints.@max == a)") { $0.ints.max == $0.a }
  }

  @Test func aggregatesOfPropertiesStandAfterTheCollection() {
    expect("(pets.@min.age == %@)", [3]) { $0.pets.age.min == 3 }
    expect("(pets.@max.age == %@)", [3]) { $0.pets.age.max == 3 }
    expect("(pets.@avg.age == %@)", [3]) { $0.pets.age.avg == 3 }
    expect("(petSet.@sum.age == %@)", [3]) { $0.petSet.age.sum == 3 }
    expect("(petMap.@sum.age == %@)", [3]) { $0.petMap.age.sum == 3 }
    expect("(a.@avg == %@)", [1]) { $0.a.avg == 1 }
  }

  @Test func mapsHaveKeysValuesAndEntries() {
    expect("(ANY map.@allKeys == %@)", ["k"]) { $0.map.keys == "k" }
    expect("(ANY map.@allKeys BEGINSWITH[c] %@)", ["k"]) { $0.map.keys.starts(with: "k", options: .caseInsensitive) }
    expect("(ANY map.@allValues > %@)", [3]) { $0.map.values > 3 }
    expect("(ANY stringMap.@allValues LIKE %@)", ["k"]) { $0.stringMap.values.like("k") }
    expect("(map[%@] == %@)", ["k", 3]) { $0.map["k"] == 3 }
    expect("(optMap[%@] == %@)", ["k", NSNull()]) { $0.optMap["k"] == nil }
    expect("(stringMap[%@] CONTAINS %@)", ["k", "x"]) { $0.stringMap["k"].contains("x") }
    expect("(ANY map > %@)", [3]) { $0.map > 3 }
    expect("(ANY map == %@)", [3]) { $0.map == 3 }
    expect("(ANY petMap.age > %@)", [3]) { $0.petMap.age > 3 }
    expect("(ANY petMap.@allValues.age > %@)", [3]) { $0.petMap.values.age > 3 }
    expect("(petMap[%@] == %@)", ["k", NSNull()]) { $0.petMap["k"] == nil }
    expect("(friend.map[%@] == %@)", ["k", 3]) { $0.friend.map["k"] == 3 }
  }

  @Test func mixedValuesHaveSubscripts() {
    expect("(mixed[%@] == %@)", [0, AnyRealmValue.int(1)]) { $0.mixed[0] == .int(1) }
    expect("(mixed[%@][%@] == %@)", ["k", 2, AnyRealmValue.int(1)]) { $0.mixed["k"][2] == .int(1) }
    expect("(mixed[%K] == %@)", ["#any", AnyRealmValue.int(1)]) { $0.mixed.any == .int(1) }
    expect("(mixed[%@][%K] > %@)", ["k", "#any", AnyRealmValue.int(1)]) { $0.mixed["k"].any > .int(1) }
  }

  @Test func enumerationsAndCustomTypesHaveStoredValues() {
    expect("(level == %@)", [2]) { $0.level.rawValue == 2 }
    expect("(level > %@)", [2]) { $0.level.rawValue > 2 }
    expect("(optLevel == %@)", [NSNull()]) { $0.optLevel.rawValue == nil }
    expect("(ANY levels == %@)", [2]) { $0.levels.rawValue == 2 }
    expect("(%@ IN levels)", [2]) { $0.levels.rawValue.contains(2) }
    expect("(ANY optLevels > %@)", [2]) { $0.optLevels.rawValue > 2 }
    expect("(levelMap[%@] == %@)", ["k", 2]) { $0.levelMap.rawValue["k"] == 2 }
    expect("(height > %@)", [1.5]) { $0.height.persistableValue > 1.5 }
    expect("(optHeight == %@)", [NSNull()]) { $0.optHeight.persistableValue == nil }
    expect("(heights.@max > %@)", [1.5]) { $0.heights.persistableValue.max > 1.5 }
    expect("(pair.left == %@)", [1]) { $0.pair.persistableValue.left == 1 }
    expect("(ANY pairs.right == %@)", ["x"]) { $0.pairs.persistableValue.right == "x" }
  }

  @Test func regionsAreMembership() {
    let box = GeoBox(bottomLeft: (0, 0), topRight: (1, 1))!
    let polygon = GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)])!
    expect("(place IN %@)", [box]) { $0.place.geoWithin(box) }
    expect("(friend.place IN %@)", [polygon]) { $0.friend.place.geoWithin(polygon) }
  }

  @Test func subqueriesAreNumberedAndRewritten() {
    expect("(SUBQUERY(pets, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) { ($0.pets.age == 1).count > 0 }
    expect("(SUBQUERY(pets, $col1, (($col1.age > %@) && ($col1.name == %@))).@count == %@)", [1, "x", 2]) {
      ($0.pets.age > 1 && $0.pets.name == "x").count == 2
    }
    expect("(SUBQUERY(pets, $col1, $col1.isGood == true).@count > %@)", [0]) { $0.pets.isGood.count > 0 }
    expect("(SUBQUERY(pets, $col1, NOT (($col1.age == %@) || $col1.isGood == false)).@count > %@)", [1, 0]) {
      (!($0.pets.age == 1 || !$0.pets.isGood)).count > 0
    }
    expect(
      "((SUBQUERY(pets, $col1, ($col1.age == %@)).@count > %@) && (SUBQUERY(petSet, $col2, ($col2.age == %@)).@count < %@))", [1, 2, 3, 4]
    ) { ($0.pets.age == 1).count > 2 && ($0.petSet.age == 3).count < 4 }
    expect("(SUBQUERY(pets, $col1, (ANY $col1.scores == %@)).@count > %@)", [1, 0]) { ($0.pets.scores == 1).count > 0 }
    expect("(SUBQUERY(pets, $col1, ($col1.scores.@max > %@)).@count > %@)", [1, 0]) { ($0.pets.scores.max > 1).count > 0 }
    expect("(SUBQUERY(friend.pets, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) { ($0.friend.pets.age == 1).count > 0 }
    expect("(SUBQUERY(petMap, $col1, ($col1.age == %@)).@count > %@)", [1, 0]) { ($0.petMap.values.age == 1).count > 0 }
    expect("(SUBQUERY(pets, $col1, ($col1.age IN %@)).@count > %@)", [[1], 0]) { $0.pets.age.in([1]).count > 0 }
    expect("(SUBQUERY(pets, $col1, ($col1.age BETWEEN {%@, %@})).@count > %@)", [1, 2, 0]) { $0.pets.age.contains(1...2).count > 0 }
  }

  @Test func rootsThatAreNoObjectsAreSelf() {
    let (text, arguments) = (Query<Int>() > 3)._constructPredicate()
    #expect(text == "(self > %@)")
    #expect(arguments as? [Int] == [3])
  }
}

@Suite(.mustEnd) struct QueryMisuseTests {
  private static func failure(_ isIncluded: Asking) -> String? {
    let node = isIncluded(Query<QueryPerson>()).node
    return failureText { _ = try QueryText(node) }
  }

  @Test func collectionsAreNotComparedWithEachOther() {
    #expect(Self.failure { $0.ints == $0.ints } == "Comparing two collection columns is not permitted.")
    #expect(Self.failure { $0.pets.age == $0.petSet.age } == "Comparing two collection columns is not permitted.")
  }

  @Test func subqueriesNeedOneCollection() {
    let text = "Subqueries must contain a keypath starting with a collection."
    #expect(Self.failure { ($0.a == 1).count > 0 } == text)
    #expect(Self.failure { ($0.pets.age == 1 && $0.petSet.age == 1).count > 0 } == text)
    #expect(Self.failure { ($0.map["a"] == 1).count > 0 } == "Subqueries do not support map subscripts.")
    #expect(Self.failure { ($0.mixed[0] == .int(1)).count > 0 } == "Subqueries do not support AnyRealmValue subscripts.")
  }

  @Test(.endsProcesses) func entriesOfMapsHaveNoMembers() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Query<QueryPerson>().petMap["a"].age == 1 }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Cannot apply key path to Map subscripts."))
  }
}
