import Foundation

/// What this process has of the system's.
struct Census {
  let residentMiB: Double
  let descriptorCount: Int

  static func take() -> Census {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    return Census(residentMiB: (pages ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576, descriptorCount: descriptors ?? 0)
  }
}

extension [Census] {
  /// What grew from the second fifth of a run to the last one, more than it may.
  var growth: String? {
    if count < 10 { return nil }
    let (early, late) = (self[count / 5..<2 * count / 5], self[4 * count / 5..<count])
    func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
    let (before, after) = (median(early.map(\.residentMiB)), median(late.map(\.residentMiB)))
    if after > before * 1.25 + 16 { return "memory grew from \(Int(before)) to \(Int(after)) MiB" }
    let (few, many) = (early.map(\.descriptorCount).max() ?? 0, late.map(\.descriptorCount).max() ?? 0)
    return many > few + 8 ? "open descriptors grew from \(few) to \(many)" : nil
  }
}
