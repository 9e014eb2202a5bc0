import RealmSwift

final class Contact: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var email: String?
  @Persisted var phones: List<Phone>
  @Persisted var groups: MutableSet<String>
}

/// Belongs to one contact, and goes with it.
final class Phone: EmbeddedObject {
  @Persisted var label: String
  @Persisted var number: String
}
