/// What a class says of its objects instead of the description of the SDK. Debuggers, collections and optionals print `debugDescription`, and a class that
/// keeps something out of its description keeps it out of there, too.
enum OwnDescription {
  /// Set while it is found out whether a class has one: the description of the SDK is a mark then, which its text has at most as a part.
  @TaskLocal private static var isSought = false
  private static let mark = "\u{0}description of the SDK\u{0}"

  /// Nil if the class has none, or the object cannot be read here.
  static func text(of object: ObjectBase) -> String? {
    guard object.core?.obstacle == nil, !object.isManagedAndGone, !object.epoch.wasDeleted else { return nil }
    let text = $isSought.withValue(true) { object.description }
    if text == mark { return nil }
    return text.contains(mark) ? object.description : text
  }

  /// What the SDK says, or the mark.
  static func ofTheSDK(_ text: @autoclosure () -> String) -> String { isSought ? mark : text() }
}
