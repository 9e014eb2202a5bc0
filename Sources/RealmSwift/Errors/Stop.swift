/// Ends the process because the program misused the API: the one place from which a text of ours does so.
/// `fatalError` prints the text in release builds too, `preconditionFailure` would not.
@usableFromInline package func stop(_ text: String) -> Never { fatalError(text) }
