import RealmSwift

/// The property that somebody wants to have the token of an observation in.
struct TokenPlace<Owner> {
  private let owner: Owner
  private let keyPath: WritableKeyPath<Owner, NotificationToken?>

  init(_ owner: Owner, _ keyPath: WritableKeyPath<Owner, NotificationToken?>) { (self.owner, self.keyPath) = (owner, keyPath) }

  func put(_ token: NotificationToken) {
    var owner = owner
    owner[keyPath: keyPath] = token
  }
}
