import RealmInspection
import RealmQuery
import RealmStorage

// Which request is answered by what.

extension StudioService {
  /// Answers a request; takes as long as that takes.
  public func answer(_ request: StudioRequest) -> StudioAnswer {
    do {
      let isChange = Self.changes.contains(request.path)
      let method = isChange ? "POST" : "GET"
      if isChange || Self.questions.contains(request.path), request.method != method {
        var answer = StudioProblem("\(request.path) has no \(request.method).", status: 405).answer
        answer.allowedMethods = method
        return answer
      }
      guard let answer = isChange ? try answerChange(request) : try answerQuestion(request) else {
        return StudioProblem("There is nothing at \(request.path).", status: 404).answer
      }
      return answer
    } catch { return problem(error).answer }
  }

  /// What `answerQuestion` answers.
  private static let questions = paths("file rows object elements blob check explain groups export status map history source difference edits jobs")
  /// What `answerChange` does.
  private static let changes = paths("import unlock upgrade edit insert delete undo redo job cancel")

  private static func paths(_ names: String) -> Set<String> { Set(names.split(separator: " ").map { "/api/" + $0 }) }

  private func answerQuestion(_ request: StudioRequest) throws -> StudioAnswer? {
    switch request.path {
    case "/api/file": StudioAnswer(try describeFile())
    case "/api/rows": StudioAnswer(try rows(request.query))
    case "/api/object": StudioAnswer(try object(request.query))
    case "/api/elements": StudioAnswer(try elements(request.query))
    case "/api/blob": try blob(request.query)
    case "/api/check": StudioAnswer(try check(request.query))
    case "/api/explain": StudioAnswer(try explain(request.query))
    case "/api/groups": StudioAnswer(try groups(request.query))
    case "/api/export": try export(request.query)
    case "/api/status": StudioAnswer(try status())
    case "/api/map": StudioAnswer(try fileMap(request.query))
    case "/api/history": StudioAnswer(try history(request.query))
    case "/api/source": StudioAnswer(try source())
    case "/api/difference": StudioAnswer(try difference(request.query))
    case "/api/edits": StudioAnswer(undo.description)
    case "/api/jobs": StudioAnswer(jobs.description)
    default: nil
    }
  }

  private func answerChange(_ request: StudioRequest) throws -> StudioAnswer? {
    if request.path == "/api/import" { return StudioAnswer(try importFile(request)) }
    guard let body = ImportValue(json: request.body.isEmpty ? Array("{}".utf8) : request.body), case .object = body else {
      throw StudioProblem("The request is no JSON object.", status: 400)
    }
    return switch request.path {
    case "/api/unlock": StudioAnswer(try unlock(body))
    case "/api/upgrade": StudioAnswer(try upgrade())
    case "/api/edit": StudioAnswer(try setProperties(body))
    case "/api/insert": StudioAnswer(try insert(body))
    case "/api/delete": StudioAnswer(try delete(body))
    case "/api/undo": StudioAnswer(try takeBack())
    case "/api/redo": StudioAnswer(try repeatEdit())
    case "/api/job": StudioAnswer(try startJob(body))
    case "/api/cancel": StudioAnswer(jobs.cancel(body))
    default: nil
    }
  }

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
