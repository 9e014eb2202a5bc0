import Foundation

/// The commands of the tool with their options, as the argument parser describes them.
struct CommandOutline: Decodable {
  /// What values of an argument are.
  enum Values: Equatable { case words([String]), files, unknown }

  struct Argument: Decodable {
    private struct Name: Decodable {
      let kind: String
      let name: String
    }
    private struct Completion: Decodable {
      struct List: Decodable { let values: [String] }
      struct File: Decodable {}
      let list: List?
      let file: File?
    }
    private let kind: String
    private let names: [Name]?
    private let allValues: [String]?
    private let completionKind: Completion?
    private let shouldDisplay: Bool

    var isPositional: Bool { kind == "positional" }
    /// Another word follows.
    var takesValue: Bool { kind == "option" }
    /// As they are written, with hyphens, the long one first; empty for what has none, or is not shown.
    var spellings: [String] {
      guard shouldDisplay else { return [] }
      let long = (names ?? []).filter { $0.kind == "long" }.map { "--" + $0.name }
      return long + (names ?? []).filter { $0.kind == "short" }.map { "-" + $0.name }
    }
    var values: Values {
      if let list = completionKind?.list?.values ?? allValues { return .words(list) }
      return completionKind?.file == nil ? .unknown : .files
    }
  }

  private let command: Command

  struct Command: Decodable {
    fileprivate let commandName: String
    fileprivate let subcommands: [Command]?
    private let arguments: [Argument]?

    var name: String { commandName }
    var commands: [Command] { subcommands ?? [] }
    var options: [Argument] { (arguments ?? []).filter { !$0.isPositional } }
    var positions: [Argument] { (arguments ?? []).filter(\.isPositional) }

    func option(_ spelling: String) -> Argument? { options.first { $0.spellings.contains(spelling) } }
  }

  /// The tool itself.
  var root: Command { command }

  /// - Parameter json: what the parser prints for `--experimental-dump-help`.
  init(json: String) throws { self = try JSONDecoder().decode(CommandOutline.self, from: Data(json.utf8)) }
}
