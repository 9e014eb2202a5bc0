import Testing

@testable import realm

@Test func theBundledTimeZoneTablesAreCompleteAndConsistent() throws {
  let countries = try TimeZoneTables.countries(), zones = try TimeZoneTables.zones()
  #expect(countries.count == 249 && zones.count == 312)
  let codes = Set(countries.map(\.code))
  #expect(codes.count == countries.count && Set(zones.map(\.name)).count == zones.count)
  #expect(zones.allSatisfy { !$0.countryCodes.isEmpty && codes.isSuperset(of: $0.countryCodes) })
  #expect(countries.first { $0.code == "CI" }?.name == "Côte d'Ivoire")
  let zurich = try #require(zones.first { $0.name == "Europe/Zurich" })
  #expect(zurich.countryCodes.first == "CH" && zurich.countryCodes.contains("LI"))
  #expect(abs(zurich.latitude - (47 + 23.0 / 60)) < 1e-9 && abs(zurich.longitude - (8 + 32.0 / 60)) < 1e-9)
  // Two countries have no civil time of their own.
  #expect(codes.subtracting(zones.flatMap(\.countryCodes)) == ["BV", "HM"])
}

@Test func timeZoneCoordinatesMayHaveSeconds() throws {
  let zone = try #require(try TimeZoneTables.zones(in: "# comment\n\nAQ\t-720041+0023206\tAntarctica/Troll\tTroll\n").first)
  #expect(zone.countryCodes == ["AQ"] && zone.comment == "Troll")
  #expect(abs(zone.latitude + (72 + 41.0 / 3600)) < 1e-9 && abs(zone.longitude - (2 + 32.0 / 60 + 6.0 / 3600)) < 1e-9)
}

@Test(arguments: [
  "CH", "CH\t+4723+00832", "C\t+4723+00832\tA", "CH,\t+4723+00832\tA", "CH\t4723+008322\tA", "CH\t+4773+00832\tA", "CH\t+9123+00832\tA",
  "CH\t+4723+18132\tA", "CH\t+47x3+00832\tA", "CH\t+4723+00832\t", "CH\t+4723+00832\tA\tB\tC",
]) func aBadLineOfTheZoneTableIsNamed(_ line: String) {
  #expect(throws: TimeZoneTables.BadLine(number: 2, text: line)) { try TimeZoneTables.zones(in: "# x\n\(line)\n") }
}

@Test(arguments: ["CH", "ch\tSwitzerland", "CH\t", "CH\tSwitzerland\tx"])
func aBadLineOfTheCountryTableIsNamed(_ line: String) {
  #expect(throws: TimeZoneTables.BadLine(number: 1, text: line)) { try TimeZoneTables.countries(in: line) }
}
