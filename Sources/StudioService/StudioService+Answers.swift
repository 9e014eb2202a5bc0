import RealmInspection
import RealmQuery
import RealmStorage

// Which request is answered by what.

extension StudioService {
  /// Answers a request; takes as long as that takes.
  public func answer(_ request: StudioRequest) -> StudioAnswer {
    guard let handler = Self.handlers[request.path] else { return StudioProblem("There is nothing at \(request.path).", status: 404).answer }
    guard request.method == handler.method else {
      var answer = StudioProblem("\(request.path) has no \(request.method).", status: 405).answer
      answer.allowedMethods = handler.method
      return answer
    }
    do {
      switch handler {
      case .question(let answer), .upload(let answer): return try answer(self, request)
      case .change(let answer):
        guard let body = ImportValue(json: request.body.isEmpty ? Array("{}".utf8) : request.body), case .object = body else {
          throw StudioProblem("The request is no JSON object.", status: 400)
        }
        return try answer(self, body)
      }
    } catch { return problem(error).answer }
  }

  /// How the requests for one path are answered.
  private enum Handler {
    typealias Answer<Input> = @Sendable (StudioService, Input) throws -> StudioAnswer

    case question(Answer<StudioRequest>)
    case upload(Answer<StudioRequest>)
    /// Its body is a JSON object.
    case change(Answer<ImportValue>)

    var method: String {
      switch self {
      case .question: "GET"
      case .upload, .change: "POST"
      }
    }
  }

  private static let handlers: [String: Handler] = [
    "/api/file": .question { (service, _) in StudioAnswer(try service.describeFile()) },
    "/api/rows": .question { StudioAnswer(try $0.rows($1.query)) },
    "/api/object": .question { StudioAnswer(try $0.object($1.query)) },
    "/api/elements": .question { StudioAnswer(try $0.elements($1.query)) },
    "/api/blob": .question { try $0.blob($1.query) },
    "/api/check": .question { StudioAnswer(try $0.check($1.query)) },
    "/api/explain": .question { StudioAnswer(try $0.explain($1.query)) },
    "/api/groups": .question { StudioAnswer(try $0.groups($1.query)) },
    "/api/export": .question { try $0.export($1.query) },
    "/api/status": .question { (service, _) in StudioAnswer(try service.status()) },
    "/api/map": .question { StudioAnswer(try $0.fileMap($1.query)) },
    "/api/history": .question { StudioAnswer(try $0.history($1.query)) },
    "/api/source": .question { (service, _) in StudioAnswer(try service.source()) },
    "/api/difference": .question { StudioAnswer(try $0.difference($1.query)) },
    "/api/edits": .question { (service, _) in StudioAnswer(service.undo.description) },
    "/api/jobs": .question { (service, _) in StudioAnswer(service.jobs.description) },
    "/api/import": .upload { StudioAnswer(try $0.importFile($1)) },
    "/api/unlock": .change { StudioAnswer(try $0.unlock($1)) },
    "/api/upgrade": .change { (service, _) in StudioAnswer(try service.upgrade()) },
    "/api/edit": .change { StudioAnswer(try $0.setProperties($1)) },
    "/api/insert": .change { StudioAnswer(try $0.insert($1)) },
    "/api/delete": .change { StudioAnswer(try $0.delete($1)) },
    "/api/undo": .change { (service, _) in StudioAnswer(try service.takeBack()) },
    "/api/redo": .change { (service, _) in StudioAnswer(try service.repeatEdit()) },
    "/api/job": .change { StudioAnswer(try $0.startJob($1)) },
    "/api/cancel": .change { StudioAnswer($0.jobs.cancel($1)) },
  ]

  /// An error in words for people.
  func problem(_ error: any Error) -> StudioProblem {
    switch error {
    case let problem as StudioProblem: return problem
    case let error as StorageError: return problem(error)
    case let error as ImportProblem: return StudioProblem(error.reason + (error.line.map { " (line \($0))" } ?? ""))
    case ImportError.storage(let error): return problem(error)
    case ImportError.input(let error): return problem(error)
    case QueryError.storage(let error): return problem(error)
    case QueryError.cancelled: return StudioProblem("The query was given up.", status: 409)
    case QueryError.invalid(_, let message, let offset):
      return StudioProblem(message, details: [("offset", offset.map { .number($0) } ?? .null)])
    default: return StudioProblem("\(error)", status: 500)
    }
  }

  private func problem(_ error: StorageError) -> StudioProblem {
    switch error {
    case .invalidArgument(let reason): StudioProblem(reason)
    case .noSuchTable(let name): StudioProblem("There is no class '\(name)'.", status: 404)
    case .noSuchColumn(let table, let name):
      StudioProblem("'\(SchemaText.className(Array(table.utf8)))' has no property '\(name)'.", status: 404)
    case .typeMismatch(let reason): StudioProblem(reason.hasSuffix(".") ? reason : reason + ".")
    case .noSuchObject(let key): StudioProblem("The object #\(key.rawValue) does not exist any more.", status: 404)
    case .readOnly: StudioProblem("The file cannot be changed here.", status: 403)
    case .fileInUse: StudioProblem("Another program has the file open.", status: 409)
    default: StudioProblem(Diagnostics.message(error, path: path), status: 500)
    }
  }

  // MARK: Reading requests

  static func text(_ name: String, _ query: [String: String]) throws(StudioProblem) -> String {
    if let value = query[name], !value.isEmpty { return value }
    throw StudioProblem("The request lacks '\(name)'.", status: 400)
  }

  static func number(_ name: String, _ query: [String: String], default usual: Int) throws(StudioProblem) -> Int {
    guard let text = query[name] else { return usual }
    guard let number = Int(text), number >= 0 else { throw StudioProblem("'\(name)' is no number from 0 on.", status: 400) }
    return number
  }

  static func key(_ query: [String: String]) throws(StudioProblem) -> ObjectKey {
    guard let number = Int64(try text("key", query)) else { throw StudioProblem("'key' is no number.", status: 400) }
    return ObjectKey(number)
  }

  static func text(_ name: String, _ body: ImportValue) throws(StudioProblem) -> String {
    if let value = body[name]?.string { return value }
    throw StudioProblem("The request lacks '\(name)'.", status: 400)
  }

  static func table(_ name: String, _ group: Group) throws -> Table {
    if let table = try Preparation.table(named: name, group) { return table }
    throw StudioProblem("There is no class '\(name)'.", status: 404)
  }
}
