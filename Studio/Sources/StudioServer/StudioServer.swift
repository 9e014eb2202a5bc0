public import StudioService

import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// Serves a file to browsers of this machine.
public final class StudioServer: Sendable {
  /// Where it listens and whom it believes.
  public struct Options: Sendable {
    /// The loopback unless the user says otherwise.
    public var address = "127.0.0.1"
    /// 0 chooses one.
    public var port: UInt16 = 0
    /// Further names under which it may be asked; with a port, if that is another one.
    public var hosts: [String] = []
    /// The loopback, at any port.
    public init() {}
  }

  /// The largest body that is accepted, in bytes; imports only may be as long as that.
  static let importLimit = 256 << 20
  static let bodyLimit = 16 << 20

  private let service: StudioService
  private let options: Options
  private let gate = Mutex<Gate?>(nil)

  /// Nothing listens yet.
  public init(_ service: StudioService, options: Options = Options()) { (self.service, self.options) = (service, options) }

  /// Serves until the task is cancelled.
  /// - Parameter ready: called once, with the address to open.
  public func run(ready: @escaping @Sendable (String) -> Void) async throws {
    let port = try options.port == 0 ? Self.freePort(options.address) : options.port
    let gate = Gate(hosts: ["127.0.0.1", "localhost", options.address] + options.hosts, port: port)
    self.gate.withLock { $0 = gate }
    // An answer may take as long as a query; the page does not wait for ever.
    let configuration = HTTPServer.Configuration(
      address: try .inet(ip4: options.address, port: port), timeout: 900, pool: PromptPool(), logger: .disabled)
    let server = HTTPServer(config: configuration, handler: ClosureHTTPHandler { [self] in try await answer($0, gate) })
    let name = options.address == "0.0.0.0" ? options.hosts.first ?? "127.0.0.1" : options.address
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening()
        ready("http://\(Gate.address(name, port: port))/?token=\(gate.token)")
      }
      try await group.waitForAll()
    }
  }

  /// A port that nobody uses at the moment.
  private static func freePort(_ address: String) throws -> UInt16 {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    try socket.bind(to: .inet(ip4: address, port: 0))
    guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
    return port
  }

  // MARK: Answers

  func answer(_ request: HTTPRequest, _ gate: Gate) async throws -> HTTPResponse {
    switch gate.verdict(request) {
    case .refused(let status, let reason): return Self.response(status, "text/plain; charset=utf-8", Data(reason.utf8))
    case .entered:
      // Not a redirection: the next request has to come from a page of ours, or the browser keeps the cookie to itself.
      let page =
        "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=/\"><link rel=icon href=\"data:,\">"
        + "<title>Realm Studio</title>"
      var response = Self.response(200, "text/html; charset=utf-8", Data(page.utf8))
      response.headers[HTTPHeader("Set-Cookie")] = gate.cookieHeader
      return response
    case .allowed: break
    }
    if request.path == "/api/events" {
      guard request.method == .GET else { return Self.refusal(allowed: "GET") }
      var response = HTTPResponse(statusCode: .ok, headers: [.contentType: "text/event-stream"], body: HTTPBodySequence(from: EventStream(service)))
      for (header, value) in Gate.headers { response.headers[header] = value }
      return response
    }
    if request.path.hasPrefix("/api/") { return try await answerQuestion(request) }
    guard let file = Page.files[request.path] else { return Self.response(404, "text/plain", Data("Not here.".utf8)) }
    guard request.method == .GET else { return Self.refusal(allowed: "GET") }
    return Self.response(200, file.contentType, Data(file.bytes))
  }

  private func answerQuestion(_ request: HTTPRequest) async throws -> HTTPResponse {
    let limit = request.path == "/api/import" ? Self.importLimit : Self.bodyLimit
    guard let body = try await Self.body(of: request, limit: limit) else {
      return Self.response(413, "application/json", Data("{\"error\":\"This is more than \(limit >> 20) MiB.\"}".utf8))
    }
    // Not `request.query`, whose values lack a byte order mark that they begin with.
    let query = StudioRequest.query(request.target.query())
    let question: StudioRequest
    if request.method == .POST, request.headers[.contentType] == "application/x-www-form-urlencoded" {
      // A question that is too long for an address: the time in which the server reads lines grows with the square of their length.
      let form = StudioRequest.query(String(decoding: body, as: UTF8.self))
      question = StudioRequest(path: request.path, query: query.merging(form) { $1 })
    } else {
      question = StudioRequest(method: request.method.rawValue, path: request.path, query: query, body: body)
    }
    let answer = await Self.onThread { [service] in service.answer(question) }
    return try Self.response(answer)
  }

  /// - Returns: nil if it is too long. It is read to its end then but not kept, because browsers listen only when they have said everything.
  private static func body(of request: HTTPRequest, limit: Int) async throws -> [UInt8]? {
    var body: [UInt8] = []
    var count = 0
    for try await part in request.bodySequence {
      count += part.count
      if count <= limit { body += part } else { body = [] }
      if count > patience { throw SocketError.disconnected }
    }
    return count <= limit ? body : nil
  }

  /// Whoever sends more than this is not heard to the end.
  private static let patience = 1 << 30

  /// Engine work waits for disks and locks, which tasks must not.
  private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: body()) }
    }
  }

  private static func response(_ answer: StudioAnswer) throws -> HTTPResponse {
    let body: HTTPBodySequence
    switch answer.body {
    case .bytes(let bytes): body = HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 1 << 16)
    case .file(let path):
      let file = try NamelessFile(path)
      body = HTTPBodySequence(from: file, count: file.count, suggestedBufferSize: 1 << 16)
    }
    var response = HTTPResponse(statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: [.contentType: answer.contentType], body: body)
    for (header, value) in Gate.headers { response.headers[header] = value }
    if let methods = answer.allowedMethods { response.headers[HTTPHeader("Allow")] = methods }
    if let name = answer.downloadName {
      let plain = String(name.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && $0 != "/" ? Character($0) : "_" })
      response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(plain)\""
    }
    return response
  }

  private static func refusal(allowed methods: String) -> HTTPResponse {
    var response = response(405, "text/plain; charset=utf-8", Data("Ask by \(methods).".utf8))
    response.headers[HTTPHeader("Allow")] = methods
    return response
  }

  private static func response(_ status: Int, _ contentType: String, _ body: Data) -> HTTPResponse {
    var response = HTTPResponse(statusCode: HTTPStatusCode(status, phrase: ""), headers: [.contentType: contentType], body: body)
    for (header, value) in Gate.headers { response.headers[header] = value }
    return response
  }
}
