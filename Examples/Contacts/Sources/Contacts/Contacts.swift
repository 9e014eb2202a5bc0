import ArgumentParser
import Foundation
import RealmSwift

@main struct Contacts: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "People and how to reach them.", subcommands: [Add.self, Show.self, Remove.self])
}

/// What all commands share: where the contacts are.
struct Store: ParsableArguments {
  @Option(help: "The file that holds the contacts.") var file = "contacts.realm"

  func open() throws -> Realm {
    // Adding a property needs a higher number, and no code; whatever else changes says here how (`migrationBlock`).
    try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: file), schemaVersion: 1, objectTypes: [Contact.self, Phone.self]))
  }
}

struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Adds somebody, or completes what is known.")
  @OptionGroup var store: Store
  @Argument var name: String
  @Option var email: String?
  @Option(help: "LABEL=NUMBER, as often as needed.") var phone: [String] = []
  @Option(help: "As often as needed.") var group: [String] = []

  func run() throws {
    let realm = try store.open()
    try realm.write {
      let contact = realm.create(Contact.self, value: ["name": name], update: .modified)
      if let email { contact.email = email }
      contact.groups.insert(objectsIn: group)
      for entry in phone {
        let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("\(entry): write LABEL=NUMBER") }
        contact.phones.append(Phone(value: ["label": parts[0], "number": parts[1]]))
      }
    }
  }
}

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Shows everybody, or those who fit.")
  @OptionGroup var store: Store
  @Option(help: "Part of a name.") var name: String?
  @Option var group: String?

  func run() throws {
    var contacts = try store.open().objects(Contact.self).sorted(by: \.name)
    if let name { contacts = contacts.where { $0.name.contains(name, options: [.caseInsensitive, .diacriticInsensitive]) } }
    if let group { contacts = contacts.where { $0.groups.contains(group) } }
    for contact in contacts {
      let phones = contact.phones.map { "\($0.label) \($0.number)" }
      print(([contact.name, contact.email].compactMap(\.self) + phones + contact.groups.sorted().map { "#\($0)" }).joined(separator: ", "))
    }
  }
}

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Removes somebody.")
  @OptionGroup var store: Store
  @Argument var name: String

  func run() throws {
    let realm = try store.open()
    guard let contact = realm.object(ofType: Contact.self, forPrimaryKey: name) else { throw ValidationError("nobody is called \(name)") }
    try realm.write { realm.delete(contact) }
  }
}
