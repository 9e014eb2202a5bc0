import ArgumentParser

extension CompletionKind {
  /// The name of a realm file.
  static var realmFile: CompletionKind { .file(extensions: ["realm"]) }
}
