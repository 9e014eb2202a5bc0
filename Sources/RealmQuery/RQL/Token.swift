import RealmStorage

/// A word of RQL (Q1).
struct Token {
  var kind: Kind
  /// Bytes of the text.
  var range: Range<Int>

  enum Kind: Equatable {
    case end
    /// Escapes decoded.
    case identifier(String)
    case word(Word, spelling: String)
    /// `(` `)` `{` `}` `[` `]` `,` `.` `+` `-` `*` `/`
    case symbol(UInt8)
    /// `==` `!=` `<` `<=` `>` `>=`
    case relation(Relation)
    case and, or, not
    /// `[c]`
    case caseInsensitive
    case at(AtWord)
    /// Digits without sign.
    case natural(Int64)
    /// With sign, or hexadecimal.
    case number(Int64)
    case floating(Double, text: String)
    case float(Float)
    case special(Double)
    case string([UInt8])
    case base64([UInt8])
    case timestamp(seconds: Int64, nanoseconds: Int64)
    case date(Timestamp?)
    /// Written like a date, but none that is understood.
    case noDate(String)
    case objectID(ObjectID)
    case uuid(UUIDBytes)
    case objectKey(Int64)
    case link(table: Int64, key: Int64)
    case argument(Int)
    case keyPathArgument(Int)
  }

  enum Word: String, CaseIterable {
    case beginsWith = "beginswith"
    case endsWith = "endswith"
    case contains, text, like, between
    case geoWithin = "geowithin"
    case truePredicate = "truepredicate"
    case falsePredicate = "falsepredicate"
    case sort, distinct, limit, binary, bin, obj
    case asc, ascending, desc, descending, subquery
    case geoBox = "geobox"
    case geoPolygon = "geopolygon"
    case geoCircle = "geocircle"
    case null, `nil`
    // These have few spellings.
    case any, some, all, none, `in`, `true`, `false`, first, last, size

    /// Recognised in any mixture of cases.
    var hasFreeCase: Bool {
      switch self {
      case .any, .some, .all, .none, .in, .true, .false, .first, .last, .size: false
      default: true
      }
    }

    /// May stand where a property name is expected (Q1.2).
    var isName: Bool {
      switch self {
      case .beginsWith, .endsWith, .contains, .like, .text, .between, .sort, .distinct, .limit, .asc, .ascending, .desc, .descending, .in,
        .bin, .binary, .first, .last, .size:
        true
      default: false
      }
    }

    static let table: [String: Word] = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// - Parameter text: an identifier as spelled.
    init?(spelling text: String) {
      guard text.utf8.count <= 14 else { return nil }
      let lower = text.lowercased()
      guard let word = Word.table[lower] else { return nil }
      if !word.hasFreeCase && text != lower && text != lower.uppercased() { return nil }
      self = word
    }
  }

  enum AtWord: String, CaseIterable {
    case count, size, min, max, sum, avg, links, type, keys, values
    var function: AggregateFunction? { AggregateFunction(rawValue: rawValue) }
  }

  /// As syntax errors name it.
  var name: String {
    switch kind {
    case .end: "end of file"
    case .identifier: "identifier"
    case .word(.asc, _), .word(.ascending, _): "ascending"
    case .word(.desc, _), .word(.descending, _): "descending"
    case .word(.nil, _): "null"
    case .word(.some, _): "any"
    case .word(.bin, _): "binary"
    case .word(let word, _): word.rawValue
    case .symbol(let byte): "'\(String(UnicodeScalar(byte)))'"
    case .relation(let relation): relation.symbol
    case .and: "&&"
    case .or: "||"
    case .not: "!"
    case .caseInsensitive: "[c]"
    case .at(.count): "@size"
    case .at(let word): "@\(word.rawValue)"
    case .natural: "natural0"
    case .number: "number"
    case .floating, .float: "float"
    case .special(let value): value.isNaN ? "NaN" : "infinity"
    case .string: "string"
    case .base64: "base64"
    case .timestamp: "timestamp"
    case .date, .noDate: "date"
    case .objectID: "ObjectId"
    case .uuid: "UUID"
    case .objectKey, .link: "link"
    case .argument: "argument"
    case .keyPathArgument: "keypath"
    }
  }
}
