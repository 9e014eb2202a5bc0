/// The real data of `realm quickstart`: countries, and the time zones that they use. Public domain; see the tables.
enum TimeZoneTables {
  struct Country: Equatable, Sendable {
    /// Two capital letters, ISO 3166-1.
    let code: String
    let name: String
  }

  struct Zone: Equatable, Sendable {
    /// Such as "Europe/Zurich".
    let name: String
    /// The country of the zone's largest city first.
    let countryCodes: [String]
    /// Degrees north of that city.
    let latitude: Double
    /// Degrees east of that city.
    let longitude: Double
    /// Which part of the country uses the zone, where there are several.
    let comment: String?
  }

  /// A line that is not as the tables define it. Line numbers begin at 1.
  struct BadLine: Error, Equatable {
    let number: Int
    let text: String
  }

  static func countries(in text: String = countryText) throws(BadLine) -> [Country] {
    try parse(text) { fields in
      guard fields.count == 2, isCountryCode(fields[0]), !fields[1].isEmpty else { return nil }
      return Country(code: String(fields[0]), name: String(fields[1]))
    }
  }

  static func zones(in text: String = zoneText) throws(BadLine) -> [Zone] {
    try parse(text) { fields in
      guard (3...4).contains(fields.count), let (latitude, longitude) = coordinates(fields[1]), !fields[2].isEmpty else { return nil }
      let codes = fields[0].split(separator: ",", omittingEmptySubsequences: false)
      guard codes.allSatisfy(isCountryCode) else { return nil }
      return Zone(
        name: String(fields[2]), countryCodes: codes.map(String.init), latitude: latitude, longitude: longitude,
        comment: fields.count == 4 ? String(fields[3]) : nil)
    }
  }

  /// Skips empty lines and those that begin with "#", as in the original files.
  private static func parse<Row>(_ text: String, _ row: ([Substring]) -> Row?) throws(BadLine) -> [Row] {
    var rows: [Row] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
      guard let row = row(line.split(separator: "\t", omittingEmptySubsequences: false)) else {
        throw BadLine(number: index + 1, text: String(line))
      }
      rows.append(row)
    }
    return rows
  }

  private static func isCountryCode(_ text: Substring) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// ISO 6709: ±DDMM±DDDMM or ±DDMMSS±DDDMMSS, latitude first.
  private static func coordinates(_ text: Substring) -> (latitude: Double, longitude: Double)? {
    let bytes = Array(text.utf8)
    guard bytes.count == 11 || bytes.count == 15 else { return nil }
    let middle = bytes.count == 11 ? 5 : 7
    guard let latitude = angle(bytes[..<middle], degreeDigits: 2), let longitude = angle(bytes[middle...], degreeDigits: 3),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return (latitude, longitude)
  }

  /// A sign, then degrees, minutes and perhaps seconds.
  private static func angle(_ bytes: ArraySlice<UInt8>, degreeDigits: Int) -> Double? {
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var digits = bytes.dropFirst()
    guard let degrees = number(digits.prefix(degreeDigits)) else { return nil }
    digits = digits.dropFirst(degreeDigits)
    var seconds = 0
    for unit in [60, 1] where !digits.isEmpty {
      guard let part = number(digits.prefix(2)), part < 60 else { return nil }
      seconds += part * unit
      digits = digits.dropFirst(2)
    }
    let magnitude = Double(degrees) + Double(seconds) / 3600
    return sign == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
