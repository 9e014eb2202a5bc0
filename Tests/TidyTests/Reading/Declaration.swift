/// A declaration as the rules see it: what stands before its body.
struct Declaration: Equatable {
  enum Kind: String {
    case structure = "struct"
    case enumeration = "enum"
    case classType = "class"
    case actor
    case protocolType = "protocol"
    case alias = "typealias"
    case associated = "associatedtype"
    case extensionOf = "extension"
    case function = "func"
    case initializer = "init"
    case deinitializer = "deinit"
    case subscripting = "subscript"
    case variable = "var"
    case constant = "let"
    case enumCase = "case"

    /// Its braces hold members.
    var hasMembers: Bool {
      switch self {
      case .structure, .enumeration, .classType, .actor, .protocolType, .extensionOf: true
      default: false
      }
    }
    /// It gives a type a name.
    var isType: Bool { (hasMembers && self != .extensionOf) || self == .alias }
  }

  let kind: Kind
  /// Of an extension what it extends, with full stops; empty for `init`, `deinit`, `subscript` and operators.
  let name: String
  let line: Int
  /// Words before the keyword: `public`, `static`, and attributes with `@`.
  let modifiers: [String]
  /// Of an extension or type: what stands between colon and `where` or brace, names only.
  var inherited: [String] = []
  let isDocumented: Bool
  /// The declarations around it, by their places in the list, outermost first.
  let containers: [Int]
  /// It stands in the body of a function or in a closure.
  let isLocal: Bool
  /// Of the closing brace; that of the keyword when there is no body.
  var lastLine: Int

  var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }
  var isFilePrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
}
