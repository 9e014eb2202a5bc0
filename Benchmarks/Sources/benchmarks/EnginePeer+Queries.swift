extension EnginePeer {
  func answer(_ query: Query) throws -> Answer {
    switch query {
    case .age(let age): return Answer(try store.count(age: age))
    case .created(let range): return Answer(try store.count(created: range))
    case .scoreBelow(let limit): return Answer(try store.count(scoreBelow: limit))
    case .name(let name): return Answer(try store.scanCount(name: name))
    case .nameContains(let text, let ignoresCase): return Answer(try store.count(nameContains: text, ignoresCase: ignoresCase))
    case .three(let age, let score, let created): return Answer(try store.count(ageAbove: age, scoreBelow: score, createdAfter: created))
    case .sumOfAges: return Answer(try store.sumOfAgesByQuery())
    case .averageOfScores: return Answer(try store.averageOfScores())
    case .smallestCreated: return Answer(try store.smallestCreated())
    case .largestScore: return Answer(try store.largestScore())
    case .sumsOfScoresByAge: return Answer(groups: try store.sumsOfScoresByAge().map { (key: $0.age, value: $0.sum) })
    case .department(let range): return Answer(try store.count(department: range))
    case .createdAmong(let values): return Answer(try store.count(createdAmong: values))
    case .sorted(let property, let limit):
      var answer = Answer()
      try store.forEachKey(sortedBy: property, limit: limit) { answer.append($0) }
      return answer
    case .indexedNames(let names, _): return Answer(try store.indexedCount(names: names))
    }
  }
}
