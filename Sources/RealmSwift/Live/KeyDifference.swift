import RealmStorage

/// Two states of a sequence of objects, and what is different between them.
struct KeyDifference {
  private let old: [ObjectKey]
  private let new: [ObjectKey]
  /// Positions at both ends where nothing is different.
  private let prefix: Int
  private let suffix: Int
  private let mayRepeat: Bool
  private let isChanged: (ObjectKey) -> Bool
  private var changes = PositionChanges()

  /// - Parameters:
  ///   - mayRepeat: an object may be there more than once.
  ///   - isChanged: of an object that is in both.
  static func positions(from old: [ObjectKey], to new: [ObjectKey], mayRepeat: Bool = false, isChanged: (ObjectKey) -> Bool) -> PositionChanges {
    withoutActuallyEscaping(isChanged) { isChanged in
      var difference = KeyDifference(old, new, mayRepeat: mayRepeat, isChanged)
      difference.compare()
      return difference.changes
    }
  }

  private init(_ old: [ObjectKey], _ new: [ObjectKey], mayRepeat: Bool, _ isChanged: @escaping (ObjectKey) -> Bool) {
    (self.old, self.new, self.mayRepeat, self.isChanged) = (old, new, mayRepeat, isChanged)
    var (start, end) = (0, 0)
    let limit = min(old.count, new.count)
    while start < limit && old[start] == new[start] { start += 1 }
    while end < limit - start && old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    // Of equal ones the first is the first; what is between both ends may shift them.
    if mayRepeat, end > 0 {
      let between = KeySet(old[start..<old.count - end]).union(KeySet(new[start..<new.count - end]))
      if new[(new.count - end)...].contains(where: { between.contains($0) }) { end = 0 }
    }
    (prefix, suffix) = (start, end)
    (changes.oldCount, changes.newCount) = (old.count, new.count)
  }

  private var oldWindow: Range<Int> { prefix..<old.count - suffix }
  private var newWindow: Range<Int> { prefix..<new.count - suffix }

  private mutating func compare() {
    if oldWindow.isEmpty || newWindow.isEmpty {
      (changes.deletions, changes.insertions) = (Array(oldWindow), Array(newWindow))
      return
    }
    if isAscending(old, oldWindow) && isAscending(new, newWindow) { return merge() }
    rearrange(match())
  }

  private func isAscending(_ keys: [ObjectKey], _ window: Range<Int>) -> Bool {
    var index = window.lowerBound + 1
    while index < window.upperBound {
      if keys[index - 1] >= keys[index] { return false }
      index += 1
    }
    return true
  }

  /// Both ascend: nothing has moved.
  private mutating func merge() {
    var (i, j) = (oldWindow.lowerBound, newWindow.lowerBound)
    while i < oldWindow.upperBound || j < newWindow.upperBound {
      if j == newWindow.upperBound || i < oldWindow.upperBound && old[i] < new[j] {
        changes.deletions.append(i)
        i += 1
      } else if i == oldWindow.upperBound || new[j] < old[i] {
        changes.insertions.append(j)
        j += 1
      } else {
        i += 1
        j += 1
      }
    }
  }

  // MARK: Moves

  /// Elements that are in both, by their numbers among these.
  private struct Matches {
    /// By the number in the new order: the number in the old one.
    var ranks: [Int] = []
    /// By the number in the new order.
    var newPositions: [Int] = []
    /// By the number in the old order.
    var oldPositions: [Int] = []
    /// Some keys may be among them more than once.
    var mayRepeat = false
  }

  /// Pairs equal keys, the first with the first. What has no counterpart is among the changes.
  private mutating func match() -> Matches {
    var places = KeyPlaces(old[oldWindow])
    var matches = Matches(mayRepeat: places.hasRepetitions)
    // For each old position its number among those that have a counterpart.
    var numbers = [Int](repeating: -1, count: oldWindow.count)
    for position in newWindow {
      guard let origin = places.take(new[position]) else {
        changes.insertions.append(position)
        continue
      }
      matches.newPositions.append(position)
      matches.ranks.append(origin)
      numbers[origin] = 0
    }
    for place in numbers.indices {
      if numbers[place] < 0 {
        changes.deletions.append(prefix + place)
      } else {
        numbers[place] = matches.oldPositions.count
        matches.oldPositions.append(prefix + place)
      }
    }
    for index in matches.ranks.indices { matches.ranks[index] = numbers[matches.ranks[index]] }
    return matches
  }

  /// Decides which of the elements that are in both stay, and which are taken out and put in elsewhere.
  private mutating func rearrange(_ matches: Matches) {
    let ranks = matches.ranks
    if ranks.indices.allSatisfy({ ranks[$0] == $0 }) { return }
    // The original counts what is modified where an element would be if nothing had been inserted before it.
    var isInserted = [Bool](repeating: false, count: newWindow.count)
    for position in changes.insertions { isInserted[position - prefix] = true }
    let isModified = ranks.indices.map { !isInserted[$0] && isChanged(new[prefix + $0]) }
    var arrangement = Arrangement(ranks, suffix: suffix, isModified)
    if matches.mayRepeat {
      arrangement.addRepetitions(old: matches.oldPositions.map { old[$0] }, new: matches.newPositions.map { new[$0] })
    } else {
      arrangement.addRuns()
    }
    arrangement.choose()
    for (rank, position) in matches.oldPositions.enumerated() where !arrangement.staysOld[rank] { changes.deletions.append(position) }
    for (place, position) in matches.newPositions.enumerated() where !arrangement.stays[place] { changes.insertions.append(position) }
    changes.deletions.sort()
    changes.insertions.sort()
  }
}

/// Where the keys of a sequence are, each occurrence to be taken once, the first one first.
private struct KeyPlaces {
  private(set) var hasRepetitions = false
  /// The first occurrence of each key that was not taken: by what the key has above the least one, if keys are close together.
  private var dense: [Int32] = []
  private var least: Int64 = 0
  private var scattered: [ObjectKey: Int32] = [:]
  /// The next occurrence of the same key.
  private var next: [Int32] = []

  init(_ keys: ArraySlice<ObjectKey>) {
    var (low, high) = (Int64.max, Int64.min)
    for key in keys { (low, high) = (min(low, key.rawValue), max(high, key.rawValue)) }
    let (span, overflows) = high.subtractingReportingOverflow(low)
    if !overflows, span >= 0, span / 8 <= keys.count {
      (dense, least) = ([Int32](repeating: -1, count: Int(span) + 1), low)
    } else {
      scattered.reserveCapacity(keys.count)
    }
    next = [Int32](repeating: -1, count: keys.count)
    // From the end, so that the first is met last.
    for place in next.indices.reversed() {
      let key = keys[keys.startIndex + place]
      if dense.isEmpty {
        next[place] = scattered.updateValue(Int32(place), forKey: key) ?? -1
      } else {
        let index = Int(key.rawValue - least)
        next[place] = dense[index]
        dense[index] = Int32(place)
      }
      if next[place] >= 0 { hasRepetitions = true }
    }
  }

  mutating func take(_ key: ObjectKey) -> Int? {
    if dense.isEmpty {
      guard let place = scattered[key], place >= 0 else { return nil }
      scattered[key] = next[Int(place)]
      return Int(place)
    }
    let (index, overflows) = key.rawValue.subtractingReportingOverflow(least)
    guard !overflows, index >= 0, index < dense.count, dense[Int(index)] >= 0 else { return nil }
    let place = Int(dense[Int(index)])
    dense[Int(index)] = next[place]
    return place
  }
}

/// Chooses which elements of a rearranged sequence stay: the longest run that is one piece before and after, then the same in what lies
/// before it and behind it. Of runs of one length that with fewer modified elements stays, and then the one that was first.
private struct Arrangement {
  /// Elements that follow each other before and after.
  private struct Run {
    let old: Int
    let new: Int
    var count: Int
  }
  private var runs: [Run] = []
  private let count: Int
  private let ranks: [Int]
  private let suffix: Int
  /// How many of the first elements are modified.
  private var modifiedBefore: [Int] = [0]
  /// By the places after, and by those before.
  private(set) var stays: [Bool]
  private(set) var staysOld: [Bool]
  /// Above it the longest ascending sequence stays, which is found faster.
  private static let runLimit = 600

  /// - Parameters:
  ///   - ranks: for each place after, the place before.
  ///   - suffix: so many elements stay behind all these.
  init(_ ranks: [Int], suffix: Int, _ isModified: [Bool]) {
    (self.ranks, self.suffix) = (ranks, suffix)
    count = ranks.count + suffix
    stays = [Bool](repeating: false, count: ranks.count)
    staysOld = stays
    for flag in isModified { modifiedBefore.append(modifiedBefore[modifiedBefore.count - 1] + (flag ? 1 : 0)) }
  }

  /// For elements of which each is there once.
  mutating func addRuns() {
    for (place, rank) in ranks.enumerated() { add(rank, place, 1) }
    if suffix > 0 { add(ranks.count, ranks.count, suffix) }
  }

  /// For elements that may be there several times: each of them before may be any of the equal ones after.
  mutating func addRepetitions(old: [ObjectKey], new: [ObjectKey]) {
    var places: [ObjectKey: [Int]] = [:]
    for (rank, key) in old.enumerated() { places[key, default: []].append(rank) }
    // The runs that reach the present place, by the place before that continues them.
    var open: [Int: Int] = [:]
    for (place, key) in new.enumerated() where runs.count <= Self.runLimit {
      var next: [Int: Int] = [:]
      for rank in places[key] ?? [] {
        let run = open[rank] ?? runs.count
        if run == runs.count { runs.append(Run(old: rank, new: place, count: 0)) }
        runs[run].count += 1
        next[rank + 1] = run
      }
      open = next
    }
    if suffix == 0 { return }
    if let run = open[ranks.count] { runs[run].count += suffix } else { runs.append(Run(old: ranks.count, new: ranks.count, count: suffix)) }
  }

  private mutating func add(_ old: Int, _ new: Int, _ count: Int) {
    if let last = runs.last, last.old + last.count == old { return runs[runs.count - 1].count += count }
    runs.append(Run(old: old, new: new, count: count))
  }

  mutating func choose() {
    if runs.count > Self.runLimit { return keepAscending() }
    var open = [(old: 0..<count, new: 0..<count)]
    while let (old, new) = open.popLast() {
      guard let best = longest(old, new) else { continue }
      for place in 0..<best.count where best.new + place < stays.count && best.old + place < stays.count {
        stays[best.new + place] = true
        staysOld[best.old + place] = true
      }
      open.append((old.lowerBound..<best.old, new.lowerBound..<best.new))
      open.append((best.old + best.count..<old.upperBound, best.new + best.count..<new.upperBound))
    }
  }

  private func longest(_ old: Range<Int>, _ new: Range<Int>) -> Run? {
    if old.isEmpty || new.isEmpty { return nil }
    var best: Run?
    for run in runs where run.new < new.upperBound && run.new + run.count > new.lowerBound {
      let start = max(0, new.lowerBound - run.new, old.lowerBound - run.old)
      let end = min(run.count, new.upperBound - run.new, old.upperBound - run.old)
      if start >= end { continue }
      let part = Run(old: run.old + start, new: run.new + start, count: end - start)
      if best.map({ isBetter(part, $0) }) ?? true { best = part }
    }
    return best
  }

  private func isBetter(_ a: Run, _ b: Run) -> Bool {
    if a.count != b.count { return a.count > b.count }
    let (x, y) = (modifiedCount(a), modifiedCount(b))
    return x != y ? x < y : a.old < b.old
  }

  private func modifiedCount(_ run: Run) -> Int {
    func before(_ place: Int) -> Int { modifiedBefore[min(place, modifiedBefore.count - 1)] }
    return before(run.new + run.count) - before(run.new)
  }

  private mutating func keepAscending() {
    // For each length the lowest end of an ascending sequence of that length, and the place where it is.
    var (ends, places): ([Int], [Int]) = ([], [])
    var predecessors = [Int](repeating: -1, count: ranks.count)
    var length = 0
    for (place, rank) in ranks.enumerated() {
      // Mostly it goes on where the one before ended.
      length = Self.countBelow(rank, in: ends, near: length + 1)
      if length > 0 { predecessors[place] = places[length - 1] }
      if length == ends.count {
        ends.append(rank)
        places.append(place)
      } else {
        (ends[length], places[length]) = (rank, place)
      }
    }
    var place = places.last ?? -1
    while place >= 0 {
      stays[place] = true
      staysOld[ranks[place]] = true
      place = predecessors[place]
    }
  }

  /// How many of some ascending numbers are below another one: looks around a guess in steps that double, then halves what is left.
  private static func countBelow(_ number: Int, in ascending: [Int], near guess: Int) -> Int {
    var (low, high, step) = (0, ascending.count, 1)
    let start = min(guess, high)
    if start < high, ascending[start] < number {
      low = start + 1
      while low + step <= ascending.count, low < high {
        let place = low + step - 1
        if ascending[place] < number { low = place + 1 } else { high = place }
        step *= 2
      }
    } else {
      high = start
      while low < high {
        let place = max(0, high - step)
        if ascending[place] < number {
          low = place + 1
          break
        }
        high = place
        step *= 2
      }
    }
    while low < high {
      let middle = (low + high) >> 1
      if ascending[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
