import ChangesetModel
import Changesets
import Foundation
import RealmStorage

/// What the original said a file holds, beside what ours reads. Format: C9.
struct RecordedState {
  let classes: [String: [String: Any]]

  /// The first difference, for people.
  func difference(from realm: ModelRealm) -> String? {
    if Set(classes.keys) != Set(realm.classes.keys) { return "classes \(realm.classes.keys.sorted()) instead of \(classes.keys.sorted())" }
    for (name, recorded) in classes {
      guard let type = realm.classes[name] else { return name }
      let columns = recorded["columns"] as? [String: [String: Any]] ?? [:]
      let expected = Set(columns.keys.filter { $0 != type.primaryKey?.name })
      if Set(type.columns.keys) != expected { return "\(name) has \(type.columns.keys.sorted())" }
      guard type.kind != .embedded else { continue }
      let objects = recorded["objects"] as? [String: [String: Any]] ?? [:]
      if objects.count != type.objects.count { return "\(name) has \(type.objects.count) objects instead of \(objects.count)" }
      for (text, values) in objects {
        guard let key = Self.key(text), let object = type.objects[key] else { return "\(name) has no \(text)" }
        for (property, value) in values where property != type.primaryKey?.name {
          guard let own = object.properties[property] else { return "\(name) \(text) has no \(property)" }
          if !matches(value, own, in: realm) { return "\(name) \(text).\(property) is \(own) instead of \(value)" }
        }
      }
    }
    return nil
  }

  private static func key(_ text: String) -> ModelKey? {
    if text.hasPrefix("gk:") {
      let parts = text.dropFirst(3).split(separator: "-").compactMap { Int64($0, radix: 16) }
      return parts.count == 2 ? .globalKey(high: parts[0], low: parts[1]) : nil
    }
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else { return nil }
    return key(value)
  }

  private static func key(_ value: Any) -> ModelKey? {
    switch value {
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let number as NSNumber: return .int(number.int64Value)
    case let fields as [String: Any]:
      if let text = fields["$oid"] as? String { return number(text).map { .objectID($0) } }
      if let text = fields["$uuid"] as? String { return number(text).map { .uuid($0) } }
      if let parts = fields["$global"] as? [NSNumber] { return .globalKey(high: parts[0].int64Value, low: parts[1].int64Value) }
      return nil
    default: return nil
    }
  }

  private static func number(_ digits: String) -> UInt128? { UInt128(digits.filter { $0 != "-" }, radix: 16) }

  // MARK: Values

  private func matches(_ recorded: Any, _ value: ModelValue, in realm: ModelRealm) -> Bool {
    switch (recorded, value) {
    case (is NSNull, .null): true
    // An object that is not there.
    case (is NSNull, .link(let address)): realm.classes[address.className]?.objects[address.key] == nil
    case (let text as String, .string(let own)): text == own
    case (let number as NSNumber, .bool(let own)): number.boolValue == own
    case (let number as NSNumber, .int(let own)): number.int64Value == own
    case (let elements as [Any], .list(let own)): matches(elements, visible(own, realm), realm)
    case (let fields as [String: Any], .object(let own)):
      fields.count == own.properties.count && fields.allSatisfy { name, value in own.properties[name].map { matches(value, $0, in: realm) } ?? false }
    case (let fields as [String: Any], _) where fields.count == 1: matches(fields.first!.key, fields.first!.value, value, realm)
    default: false
    }
  }

  private func matches(_ elements: [Any], _ own: [ModelValue], _ realm: ModelRealm) -> Bool {
    elements.count == own.count && zip(elements, own).allSatisfy { matches($0, $1, in: realm) }
  }

  private func visible(_ elements: [ModelValue], _ realm: ModelRealm) -> [ModelValue] {
    elements.filter { if case .link(let address) = $0 { realm.classes[address.className]?.objects[address.key] != nil } else { true } }
  }

  private func matches(_ type: String, _ content: Any, _ value: ModelValue, _ realm: ModelRealm) -> Bool {
    switch (type, content, value) {
    case ("$bin", let text as String, .binary(let own)): RecordedOperation.hexadecimal(text) == own
    case ("$float", let number as NSNumber, .float(let own)): Float(bitPattern: own) == number.floatValue
    case ("$double", let number as NSNumber, .double(let own)): Double(bitPattern: own) == number.doubleValue
    case ("$decimal", let text as String, .decimal(let own)):
      Decimal128(text: text) == Decimal128(low: UInt64(truncatingIfNeeded: own.bits), high: UInt64(truncatingIfNeeded: own.bits >> 64))
    case ("$oid", let text as String, .objectID(let own)), ("$uuid", let text as String, .uuid(let own)): Self.number(text) == own
    case ("$ts", let parts as [NSNumber], .timestamp(let seconds, let nanoseconds)):
      parts[0].int64Value == seconds && parts[1].int64Value == nanoseconds
    case ("$link", let parts as [Any], .link(let address)): parts[0] as? String == address.className && Self.key(parts[1]) == address.key
    case ("$dict", let entries as [String: Any], .dictionary(let own)):
      entries.count == own.count && entries.allSatisfy { key, element in own[key].map { matches(element, $0, in: realm) } ?? false }
    // A set has no order: each recorded element is there, and there are as many.
    case ("$set", let elements as [Any], .set(let own)):
      elements.count == visible(Array(own), realm).count
        && elements.allSatisfy { element in own.contains { matches(element, $0, in: realm) } }
    default: false
    }
  }
}
