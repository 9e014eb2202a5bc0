import Foundation

/// A file of measured queries, as `Tests/Fixtures/queries/README.md` describes it.
struct QueryVectors {
  struct Malformed: Error { let place: String }

  struct Vector {
    let id: String
    let className: String
    let query: String
    /// `query` is a format of `filter`, not RQL.
    let isFormat: Bool
    let arguments: [Any]
    let mapping: [[String]]
    let count: Int
    let hash: String
    let first: [String]
    /// Code, and message or beginning of one.
    let error: (code: String, message: String?, prefix: String?)?

    /// - Parameter mapping: aliases of all vectors.
    init(_ object: [String: Any], _ mapping: [[String]]) throws {
      let format = object["format"] as? String
      guard let id = object["id"] as? String, let className = object["class"] as? String, let query = format ?? object["query"] as? String else {
        throw Malformed(place: "\(object["id"] ?? "a vector")")
      }
      (self.id, self.className, self.query) = (id, className, query)
      isFormat = format != nil
      arguments = object["args"] as? [Any] ?? []
      self.mapping = mapping + (object["mapping"] as? [[String]] ?? [])
      count = (object["count"] as? NSNumber)?.intValue ?? 0
      hash = object["sha256"] as? String ?? ""
      first = object["first"] as? [String] ?? []
      if let error = object["error"] as? [String: Any] {
        self.error = (error["code"] as? String ?? "", error["message"] as? String, error["prefix"] as? String)
      } else {
        error = nil
      }
    }
  }

  struct Aggregate {
    let className: String
    let query: String
    let property: String
    let count: Int
    /// How many values took part in the average.
    let values: Int?
    /// By `min`, `max`, `sum`, `avg`.
    let results: [String: Any]

    init(_ object: [String: Any]) throws {
      guard let className = object["class"] as? String, let query = object["query"] as? String, let property = object["property"] as? String,
        let count = object["count"] as? NSNumber
      else { throw Malformed(place: "an aggregate") }
      (self.className, self.query, self.property, self.count) = (className, query, property, count.intValue)
      values = (object["values"] as? NSNumber)?.intValue
      results = object.filter { ["min", "max", "sum", "avg"].contains($0.key) }
    }
  }

  let vectors: [Vector]
  let quirks: [Vector]
  let aggregates: [Aggregate]

  init(_ data: Data) throws {
    guard let document = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let vectors = document["vectors"] as? [[String: Any]]
    else { throw Malformed(place: "the document") }
    let mapping = document["mapping"] as? [[String]] ?? []
    func list(_ name: String) -> [[String: Any]] { document[name] as? [[String: Any]] ?? [] }
    self.vectors = try vectors.map { try Vector($0, mapping) }
    quirks = try list("quirks").map { try Vector($0, mapping) }
    aggregates = try list("aggregates").map(Aggregate.init)
  }
}
