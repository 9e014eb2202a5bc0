import Foundation
import RealmInspection
import Testing

@testable import RealmStorage

/// Where a model test's group lives: laid out as a file and read back from it at every commit.
final class TableHost {
  private var file: TestScratch
  private(set) var group: Group
  private let image: TemporaryFile

  init() throws {
    file = try TestScratch()
    group = try Group(writing: file.scratch, top: .null)
    image = try TemporaryFile()
  }

  /// Starts from a copy of an existing file.
  init(copyOf path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let top = try OpenFile(path: path).top
    file = try TestScratch(bytes)
    group = try Group(writing: file.scratch, top: top)
    image = try TemporaryFile()
  }

  func commit(independently: Bool, _ context: String) throws {
    let layout = try RealmImage(group)
    try image.write(layout.bytes)
    try expectSound(image.path, independently: independently, context)
    file = try TestScratch(layout.bytes)
    group = try Group(writing: file.scratch, top: layout.top)
  }
}
