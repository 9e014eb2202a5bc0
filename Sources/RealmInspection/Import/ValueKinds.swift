import RealmQuery
import RealmStorage

/// What the written forms of values say about their type, and what would be lost by taking them for another one.
package struct ValueKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  static let bool = ValueKinds(rawValue: 1)
  /// An integer that a double holds exactly.
  static let int = ValueKinds(rawValue: 1 << 1)
  /// An integer of 64 bits that a double may not hold.
  static let largeInt = ValueKinds(rawValue: 1 << 2)
  /// An integer of up to 34 digits.
  static let hugeInt = ValueKinds(rawValue: 1 << 3)
  static let number = ValueKinds(rawValue: 1 << 4)
  /// A fraction with more digits than a double holds.
  static let longNumber = ValueKinds(rawValue: 1 << 5)
  /// NaN or infinite.
  static let special = ValueKinds(rawValue: 1 << 6)
  /// Digits that begin with a zero, such as a postal code.
  static let padded = ValueKinds(rawValue: 1 << 7)
  static let date = ValueKinds(rawValue: 1 << 8)
  static let localDate = ValueKinds(rawValue: 1 << 9)
  static let day = ValueKinds(rawValue: 1 << 10)
  /// `1/2/2020`, which is a date if somebody says which number is the day.
  static let slashes = ValueKinds(rawValue: 1 << 11)
  static let string = ValueKinds(rawValue: 1 << 12)
  /// A fraction with more digits than a decimal holds.
  static let endlessNumber = ValueKinds(rawValue: 1 << 13)
  /// `31/1/2020`, which is a date only if the first number is the day, and the other way round.
  static let dayFirst = ValueKinds(rawValue: 1 << 14)
  static let monthFirst = ValueKinds(rawValue: 1 << 15)
  /// A number too large for a double, or too small, that a decimal holds.
  static let farNumber = ValueKinds(rawValue: 1 << 16)
  /// A number that no type holds, not even rounded as a decimal: too many digits in front of the point, or too large.
  static let impossibleNumber = ValueKinds(rawValue: 1 << 17)
  /// A fraction that is written with one digit, or with several of which the last is a zero: beside `1.1`, `1.10` may be another text, as of a version.
  static let shortFraction = ValueKinds(rawValue: 1 << 18)
  static let zeroEnded = ValueKinds(rawValue: 1 << 19)

  static let integers: ValueKinds = [.int, .largeInt]
  static let numbers: ValueKinds = [.int, .number, .shortFraction, .zeroEnded, .longNumber, .endlessNumber, .special]
  static let allNumbers: ValueKinds = [
    .int, .largeInt, .hugeInt, .number, .shortFraction, .zeroEnded, .longNumber, .endlessNumber, .special, .farNumber, .impossibleNumber,
  ]
  static let slashDates: ValueKinds = [.slashes, .dayFirst, .monthFirst]
  static let exactNumbers: ValueKinds = [.int, .largeInt, .hugeInt, .number, .shortFraction, .zeroEnded, .longNumber, .farNumber]
  static let dates: ValueKinds = [.date, .localDate, .day]

  /// The type that holds all these values without loss.
  /// - Parameter isText: values of different types become strings (CSV) instead of mixed values.
  func type(isText: Bool) -> ColumnType {
    if isEmpty || self == .special { return .string }
    if self == .bool { return .bool }
    if isSubset(of: .integers) { return .int }
    if isSubset(of: .numbers) { return .double }
    if isSubset(of: .exactNumbers) { return .decimal }
    if isSubset(of: .dates) { return .timestamp }
    // A Mixed value would be one that is not what was written.
    if isSubset(of: .allNumbers), contains(.impossibleNumber) { return .string }
    return isText || isSubset(of: [.string, .date, .localDate, .day, .slashes, .dayFirst, .monthFirst]) ? .string : .mixed
  }
}

/// The kinds of a property's values, with the first value of each.
package struct ValueFacts: Equatable, Sendable {
  struct Sample: Equatable, Sendable {
    let kind: ValueKinds
    let text: String
    let line: Int
  }
  private(set) var kinds: ValueKinds = []
  private(set) var samples: [Sample] = []

  mutating func add(_ kind: ValueKinds, line: Int, _ text: @autoclosure () -> [UInt8]) {
    if kinds.isSuperset(of: kind) { return }
    kinds.formUnion(kind)
    let text = String(decoding: text(), as: UTF8.self)
    samples.append(Sample(kind: kind, text: ShownText.escaped(text.count > 40 ? text.prefix(39) + "…" : text), line: line))
  }

  mutating func add(_ other: ValueFacts) {
    for sample in other.samples { add(sample.kind, line: sample.line, Array(sample.text.utf8)) }
  }

  fileprivate func sample(_ kind: ValueKinds) -> String? {
    samples.first { kind.isSuperset(of: $0.kind) }.map { "'\($0.text)' (line \($0.line))" }
  }

  /// The first two values that are not of one type.
  private func clash(_ isText: Bool) -> (Sample, Sample)? {
    for (position, sample) in samples.enumerated() {
      for other in samples[..<position] where sample.kind.union(other.kind).type(isText: isText) == .string { return (other, sample) }
    }
    return nil
  }

  /// Why dates with slashes are strings; nil if they contradict each other.
  private var slashNote: String? {
    switch (sample(.dayFirst), sample(.monthFirst)) {
    case (let day?, nil): "a string, because nothing says that \(day) has the day first; --slashes dmy makes it a date"
    case (nil, let month?): "a string, because nothing says that \(month) has the month first; --slashes mdy makes it a date"
    case (nil, nil): sample(.slashes).map { "a string, because \($0) can be read in two ways; --slashes dmy or mdy makes it a date" }
    case (.some, .some): nil
    }
  }

  /// What the chosen type does to some of the values, and what to give for another choice.
  func notes(_ name: String, _ type: ColumnType, isText: Bool) -> [String] {
    var notes: [String] = []
    switch type {
    case .string:
      if isText, let sample = sample(.padded), kinds.isDisjoint(with: .string) {
        notes.append("a string, because \(sample) begins with a zero that a number would lose; --type \(name)=int takes it for a number")
      } else if kinds.isSubset(of: .slashDates), let note = slashNote {
        notes.append(note)
      } else if kinds.isSubset(of: .allNumbers), kinds != .special {
        let number = samples.first { $0.kind == .impossibleNumber }?.text.replacing("…", with: "")
        let rounds = number.flatMap { Double($0)?.isFinite } ?? true
        notes.append("a string, because no number type holds all values exactly" + (rounds ? "; --type \(name)=double rounds" : ""))
      } else if let (one, other) = clash(isText) {
        let values = "'\(one.text)' (line \(one.line)) and '\(other.text)' (line \(other.line))"
        notes.append("a string, because \(values) have no other type in common")
      }
    case .mixed:
      notes.append(
        "mixed, because its values have different types: " + samples.map { "'\($0.text)' (line \($0.line))" }.joined(separator: ", ")
          + "; --type \(name)=string makes texts of all")
      if let sample = sample([.endlessNumber, .impossibleNumber]) {
        notes.append("\(sample) has more digits than any type of numbers holds and is rounded")
      }
    case .decimal:
      if let sample = sample(.farNumber) {
        notes.append("a decimal, because \(sample) is too large or too small for a double")
        break
      }
      let reason = sample([.hugeInt]).map { "\($0) has more than 64 bits" } ?? sample(.largeInt).map { "a double does not hold \($0) exactly" }
      if let reason { notes.append("a decimal, because \(reason); --type \(name)=double rounds") }
    case .double:
      if kinds.contains(.shortFraction), let text = samples.first(where: { $0.kind == .zeroEnded })?.text, let sample = sample(.zeroEnded) {
        let number = Double(text).map { NumberText.text(of: $0) } ?? text
        notes.append("\(sample) loses the zero at its end, as if \(number) were written; --type \(name)=string keeps it")
      }
      if let sample = sample(.endlessNumber) {
        notes.append("\(sample) has more digits than any type of numbers holds and is rounded; --type \(name)=string keeps it as it is")
      } else if let sample = sample(.longNumber) {
        notes.append("\(sample) has more digits than a double holds and is rounded; --type \(name)=decimal keeps them")
      }
    case .timestamp:
      if let sample = sample(.day) { notes.append("\(sample) has no time, which becomes midnight UTC; --type \(name)=string keeps it as it is") }
      if let sample = sample(.localDate) { notes.append("\(sample) has no time zone and is taken for UTC; --type \(name)=string keeps it as it is") }
    default: break
    }
    return notes.map { "\(name): \($0)" }
  }
}

extension ValueFacts {
  /// What a type that was chosen before does to some of the values.
  /// - Parameter rounds: integers become floating-point numbers that are not equal to them.
  func losses(_ name: String, _ type: ColumnType, rounds: Bool) -> [String] {
    var losses: [String] = []
    switch type {
    case .int, .float, .double, .decimal:
      if let sample = sample(.padded) { losses.append("\(sample) begins with a zero, which a number loses") }
      if type == .decimal { break }
      if let sample = sample([.longNumber, .endlessNumber]) {
        losses.append("\(sample) has more digits than a \(TypeWords.word(type)) holds and is rounded")
      }
      if rounds, let sample = sample([.largeInt, .hugeInt, .impossibleNumber]) {
        losses.append("integers such as \(sample) are rounded where a \(TypeWords.word(type)) does not hold them")
      }
    case .bool: if let sample = sample(.int) { losses.append("\(sample) is taken for a boolean: 1 for true, 0 for false") }
    case .timestamp:
      if let sample = sample(.day) { losses.append("\(sample) has no time, which becomes midnight UTC") }
      if let sample = sample(.localDate) { losses.append("\(sample) has no time zone and is taken for UTC") }
    default: break
    }
    return losses.map { "\(name): \($0)" }
  }
}

/// Values in texts.
enum ImportText {
  /// What a field of CSV is.
  static func kind(_ bytes: Span<UInt8>, _ range: Range<Int>, _ slashes: DateForm.SlashOrder?) -> ValueKinds {
    guard let first = range.first.map({ bytes[$0] }) else { return .string }
    switch first {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."):
      // Those of 15 digits are below 2^53.
      if range.count <= 15, first != 0x30 || range.count == 1, shortInteger(bytes, range) != nil { return .int }
      if let kind = numberKind(bytes, range) { return kind == .number ? fractionKind(bytes, range) : kind }
      // The shortest is 1.1.2020, the longest has nanoseconds and a zone.
      guard (8...40).contains(range.count), first != UInt8(ascii: "-") else { return special(bytes, range) == nil ? .string : .special }
      return dateKind(bytes, range, slashes)
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "T"), UInt8(ascii: "F"): return bool(bytes, range) == nil ? .string : .bool
    case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "n"), UInt8(ascii: "i"): return special(bytes, range) == nil ? .string : .special
    default: return .string
    }
  }

  static func dateKind(_ bytes: Span<UInt8>, _ range: Range<Int>, _ slashes: DateForm.SlashOrder?) -> ValueKinds {
    guard let form = DateForm(bytes, range, slashes: slashes) else {
      if slashes != nil { return .string }
      return switch (DateForm(bytes, range, slashes: .dayFirst), DateForm(bytes, range, slashes: .monthFirst)) {
      case (nil, nil): .string
      case (_, nil): .dayFirst
      case (nil, _): .monthFirst
      case (_, _): .slashes
      }
    }
    switch form.precision {
    case .complete: return .date
    case .local: return .localDate
    case .day: return .day
    }
  }

  static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for index in range { result.append(bytes[index]) }
    return result
  }

  static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && zip(range, text.utf8).allSatisfy { bytes[$0] == $1 }
  }

  /// `true` and `false` in small or capital letters, or with a capital at the beginning.
  static func bool(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool? {
    let isTrue = range.count == 4
    guard isTrue || range.count == 5 else { return nil }
    // Letters one after the other, the first in the lowest byte.
    var word: UInt64 = 0
    for index in range.reversed() { word = word << 8 | UInt64(bytes[index]) }
    let first: UInt64 = 0x20
    let rest: UInt64 = isTrue ? 0x2020_2000 : 0x20_2020_2000
    let small: UInt64 = isTrue ? 0x6575_7274 : 0x65_736C_6166
    return word == small || word == small & ~first || word == small & ~first & ~rest ? isTrue : nil
  }

  /// Numbers that have no digits, as exports write them, and as other programs do.
  static func special(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    guard range.count <= 9 else { return nil }
    if equals(bytes, range, "NaN") || equals(bytes, range, "nan") { return .nan }
    if ["Inf", "inf", "Infinity", "infinity"].contains(where: { equals(bytes, range, $0) }) { return .infinity }
    return ["-Inf", "-inf", "-Infinity", "-infinity"].contains { equals(bytes, range, $0) } ? -.infinity : nil
  }

  // MARK: Numbers

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The digits of a decimal number: an optional minus, digits with at most one point among or before them, an optional exponent.
  struct Digits {
    var isNegative = false
    /// Of the whole part.
    var wholeCount = 0
    var fractionCount = 0
    /// Those that count, without zeros in front.
    var significantCount = 0
    /// The first 19 of them as one number.
    var mantissa: UInt64 = 0
    var exponent = 0
    var hasExponent = false
    var isPadded = false
    var isInteger: Bool { fractionCount == 0 && !hasExponent }

    /// Takes the digits at `index`.
    /// - Returns: how many there are.
    @inline(__always) fileprivate mutating func take(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) -> Int {
      let begin = index
      var (count, number) = (significantCount, mantissa)
      while index < end, case let digit = bytes[index] &- 0x30, digit <= 9 {
        if count < 19 { number = number &* 10 &+ UInt64(digit) }
        if count > 0 || digit > 0 { count += 1 }
        index += 1
      }
      (significantCount, mantissa) = (count, number)
      return index - begin
    }
  }

  static func digits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Digits? {
    var result = Digits()
    var index = range.lowerBound
    let end = range.upperBound
    if index < end, bytes[index] == UInt8(ascii: "-") {
      result.isNegative = true
      index += 1
    }
    result.isPadded = index + 1 < end && bytes[index] == 0x30 && isDigit(bytes[index + 1])
    result.wholeCount = result.take(bytes, &index, end)
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      result.fractionCount = result.take(bytes, &index, end)
      if result.fractionCount == 0 { return nil }
    }
    guard result.wholeCount + result.fractionCount > 0 else { return nil }
    if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
      result.hasExponent = true
      index += 1
      let isDown = index < end && bytes[index] == UInt8(ascii: "-")
      if isDown || index < end && bytes[index] == UInt8(ascii: "+") { index += 1 }
      guard index < end, end - index <= 5 else { return nil }
      while index < end, isDigit(bytes[index]) {
        result.exponent = result.exponent * 10 + Int(bytes[index] - 0x30)
        index += 1
      }
      if isDown { result.exponent = -result.exponent }
    }
    return index == end ? result : nil
  }

  /// Nil for what is no number.
  static func numberKind(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ValueKinds? {
    guard let digits = digits(bytes, range) else { return nil }
    if digits.isPadded { return .padded }
    guard digits.isInteger else {
      if let kind = extremeKind(bytes, range, digits) { return kind }
      return digits.significantCount > 34 ? .endlessNumber : digits.significantCount > 17 ? .longNumber : .number
    }
    if digits.significantCount == 0 && digits.isNegative { return .number }
    if digits.significantCount > 34 { return .impossibleNumber }
    guard let value = integer(digits) else { return .hugeInt }
    return value.magnitude <= 1 << 53 ? .int : .largeInt
  }

  /// Of a number that is no integer, or has an exponent.
  private static func fractionKind(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ValueKinds {
    var index = range.upperBound - 1
    while index > range.lowerBound, isDigit(bytes[index]) { index -= 1 }
    guard bytes[index] == UInt8(ascii: ".") else { return .number }
    if range.upperBound - index == 2 { return .shortFraction }
    return bytes[range.upperBound - 1] == 0x30 ? .zeroEnded : .number
  }

  /// Of a number that a double takes for infinite or for zero; nil for all others.
  private static func extremeKind(_ bytes: Span<UInt8>, _ range: Range<Int>, _ digits: Digits) -> ValueKinds? {
    let isExtreme = digits.exponent + digits.wholeCount > 308 || digits.exponent - digits.fractionCount < -300
    guard isExtreme, digits.significantCount > 0, let value = double(bytes, range), !value.isFinite || value == 0 else { return nil }
    let decimal = Decimal128(text: String(decoding: copy(bytes, range), as: UTF8.self))
    return digits.significantCount <= 34 && decimal.map { $0.isFinite && !$0.isZero } == true ? .farNumber : .impossibleNumber
  }

  static func integer(_ digits: Digits) -> Int64? {
    guard digits.isInteger, digits.significantCount <= 19 else { return nil }
    if digits.isNegative { return digits.mantissa <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- digits.mantissa) : nil }
    return Int64(exactly: digits.mantissa)
  }

  /// Zeros in front are allowed: the caller knows that it is a number.
  static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    shortInteger(bytes, range) ?? digits(bytes, range).flatMap { integer($0) }
  }

  /// What most integers are: nothing but digits, and not many.
  @inline(__always) private static func shortInteger(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard range.count <= 18, !range.isEmpty else { return nil }
    var result: Int64 = 0
    for index in range {
      let digit = bytes[index] &- 0x30
      guard digit <= 9 else { return nil }
      result = result &* 10 &+ Int64(digit)
    }
    return result
  }

  static func double(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    guard let digits = digits(bytes, range) else { return special(bytes, range) }
    let exponent = digits.exponent - digits.fractionCount
    // Both numbers are exact, so one rounding is all there is.
    if digits.significantCount <= 15, abs(exponent) <= 22 {
      let mantissa = digits.isNegative ? -Double(digits.mantissa) : Double(digits.mantissa)
      return exponent < 0 ? mantissa / powersOfTen[-exponent] : mantissa * powersOfTen[exponent]
    }
    return Double(String(decoding: copy(bytes, range), as: UTF8.self))
  }

  private static let powersOfTen: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
}
