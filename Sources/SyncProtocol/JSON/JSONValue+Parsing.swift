extension JSONValue {
  /// - Parameters:
  ///   - message: that the text is the body of, for the error.
  ///   - field: what the text is, for the error.
  package init(parsing text: String, message: String, field: String) throws(ProtocolError) {
    do throws(JSONReader.Failure) { self = try JSONReader.value(text) } catch {
      throw ProtocolError(message: message, field: field, offset: error.offset, reason: .malformedJSON)
    }
  }
}
