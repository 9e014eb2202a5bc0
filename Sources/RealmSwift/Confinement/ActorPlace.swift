/// The actor that a realm is confined to. It is not kept: mostly it is the one who keeps the realm, and both would stay for good.
struct ActorPlace: Sendable {
  /// Nil once the actor is gone, and while it is going: its last code runs in `deinit`.
  weak let actor: (any Actor)?
  /// Another actor may have the same later.
  let identifier: ObjectIdentifier
  /// Its type, for people.
  let typeName: String

  init(_ actor: any Actor) {
    self.actor = actor
    identifier = ObjectIdentifier(actor)
    typeName = "\(type(of: actor))"
  }
}
