import Foundation

/// The scripts of `--generate-completion-script`. The library's own know nothing that can stand behind `help`.
enum CompletionScript {
  /// - Parameter text: what the library prints, whatever it is.
  /// - Returns: a script that completes the names of commands behind `help`; everything else as it is.
  static func completingTopics(_ text: String, _ names: [String]) -> String {
    let names = names.joined(separator: " ")
    if text.hasPrefix("#!/bin/bash"), let function = text.range(of: "\n_realm_help() {\n"),
      let end = text.range(of: "\n}\n", range: function.upperBound..<text.endIndex)
    {
      let topics = "\n    [[ \"${COMP_CWORD}\" -ne 2 ]] || COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))"
      return text.replacingCharacters(in: end.lowerBound..<end.lowerBound, with: topics)
    }
    if text.hasPrefix("#compdef"), let function = text.range(of: "\n_realm_help() {\n"),
      let words = text.range(of: "'*:subcommands:'", range: function.upperBound..<text.endIndex)
    {
      return text.replacingCharacters(in: words, with: "'*:subcommands:(\(names))'")
    }
    guard text.contains("\ncomplete -c 'realm' "), text.hasPrefix("function ") else { return text }
    return text + "\ncomplete -c 'realm' -n '__realm_should_offer_completions_for_positional \"realm help\" -eq 1' -fa '\(names)'"
  }
}
