// `Codable` of model classes: the compiler writes it when all properties are codable. The wrapper codes as its value.

extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of the property. Null for a property that is not optional is a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    // By way of a container, so that decoders read dates, data and the like as they treat them.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      guard let optional = Value.self as? any ExpressibleByNilLiteral.Type, let null = optional.init(nilLiteral: ()) as? Value else {
        throw DecodingError.typeMismatch(
          Value.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Cannot convert nil to \(Value.self)"))
      }
      self.init(wrappedValue: null)
      return
    }
    self.init(wrappedValue: try container.decode(Value.self))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of the property, without a wrapper around it.
  /// - Throws: an `EncodingError` for a managed object, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    guard _key == 0 else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must explicitly define "
            + "encode(to:) on your model class to support managed Realm objects."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(_value ?? Value._defaultValue())
  }
}

/// The wrapper of a property that may be missing in coded data.
public protocol OptionalCodingWrapper {
  /// The type of the property.
  associatedtype WrappedType: ExpressibleByNilLiteral
  /// The wrapper of a value.
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {
  /// The type of the property.
  public typealias WrappedType = Value
}
