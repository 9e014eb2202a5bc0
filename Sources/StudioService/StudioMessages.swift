/// What a page asks.
public struct StudioRequest: Sendable {
  /// `GET` or `POST`.
  public var method: String
  /// Such as `/api/rows`.
  public var path: String
  /// Decoded.
  public var query: [String: String]
  /// JSON, or the file that is imported.
  public var body: [UInt8]

  /// A request without a body unless one is given.
  public init(method: String = "GET", path: String, query: [String: String] = [:], body: [UInt8] = []) {
    (self.method, self.path, self.query, self.body) = (method, path, query, body)
  }
}

/// What it gets.
public struct StudioAnswer: Sendable {
  /// Where the bytes are.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// A temporary file, which belongs to whoever gets the answer.
    case file(path: String)
  }
  /// As HTTP numbers them.
  public var status = 200
  /// A media type.
  public var contentType = "application/json"
  /// What is answered.
  public var body: Body
  /// For what is to be saved and not shown.
  public var downloadName: String?
  /// Of a request whose method is none of its own: those it has.
  public var allowedMethods: String?

  init(_ json: StudioJSON, status: Int = 200) {
    body = .bytes(json.bytes)
    self.status = status
  }
  init(body: Body, contentType: String, downloadName: String? = nil) {
    (self.body, self.contentType, self.downloadName) = (body, contentType, downloadName)
  }
}

/// Why there is no answer; the text is for people.
struct StudioProblem: Error {
  var status = 422
  let message: String
  /// More that the page can make use of.
  var details: [(name: String, value: StudioJSON)] = []

  init(_ message: String, status: Int = 422, details: [(name: String, value: StudioJSON)] = []) {
    (self.message, self.status, self.details) = (message, status, details)
  }
  var answer: StudioAnswer { StudioAnswer(.object([("error", .text(message))] + details), status: status) }
}
