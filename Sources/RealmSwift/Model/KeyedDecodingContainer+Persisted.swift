extension KeyedDecodingContainer {
  /// Properties that are optional may be missing.
  public func decode<T: Decodable>(_ type: T.Type, forKey key: K) throws -> T where T: OptionalCodingWrapper {
    try decodeIfPresent(type, forKey: key) ?? T(wrappedValue: nil)
  }
}
