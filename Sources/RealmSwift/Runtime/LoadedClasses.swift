// Everything that depends on how the Swift runtime lays out its records of a program's types. Documentation/SDK/runtime.md, "Discovery".

#if canImport(ObjectiveC)
  import ObjectiveC

  /// The classes of the program, found without being listed.
  enum LoadedClasses {
    static func imageCount() -> Int {
      var count: UInt32 = 0
      let names = unsafe objc_copyImageNames(&count)
      unsafe free(names)
      return Int(count)
    }

    /// All subclasses of `root`, in no particular order; nil if this platform cannot tell.
    static func subclasses(of root: AnyClass) -> [AnyClass]? {
      var count: UInt32 = 0
      guard let list = unsafe objc_copyClassList(&count) else { return nil }
      defer { unsafe free(UnsafeMutableRawPointer(list)) }
      var found: [AnyClass] = []
      for index in 0..<Int(count) {
        let candidate: AnyClass = unsafe list[index]
        // Asks the runtime only: messages to arbitrary classes may run their code.
        var ancestor: AnyClass? = class_getSuperclass(candidate)
        while let current = ancestor, current != root { ancestor = class_getSuperclass(current) }
        if ancestor != nil { found.append(candidate) }
      }
      return found
    }
  }
#else
  /// Calls `body` with the addresses of each loaded image's type records, until it returns false.
  @_silgen_name("swift_enumerateAllMetadataSections")
  private func enumerateAllMetadataSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool, _ context: UnsafeMutableRawPointer)

  /// The record of a class, from its metadata.
  @_silgen_name("swift_getTypeContextDescriptor")
  private func typeContextDescriptor(_ metadata: UnsafeRawPointer) -> UnsafeRawPointer?

  /// The classes of the program, found without being listed.
  enum LoadedClasses {
    static func imageCount() -> Int { TypeRecords.all().imageCount }

    /// All subclasses of `root`, in no particular order, but for generic classes; nil if the runtime's records look other than expected.
    static func subclasses(of root: AnyClass) -> [AnyClass]? {
      let records = TypeRecords.all()
      guard records.areKnown, let rootRecord = ClassRecord(of: root) else { return nil }
      var walk = ClassWalk(root: root, rootRecord)
      records.visit { walk.visit($0) }
      return walk.found
    }

    /// False for a class with stored properties that was compiled without reflection metadata.
    static func fieldsAreRecorded(of type: AnyClass) -> Bool { ClassRecord(of: type)?.fieldsAreRecorded ?? false }
  }

  /// The type records of all loaded images.
  @safe private struct TypeRecords {
    /// Versions of the runtime's table of sections whose first pairs are those of Documentation/SDK/runtime.md, "Discovery".
    private static let knownVersions: ClosedRange<UInt> = 1...5

    private(set) var imageCount = 0
    /// No image has a table of a version that we do not know.
    private(set) var areKnown = true
    // SAFETY: sections of images, which stay where they are while the image is loaded. A program that unloads an image while another
    // of its threads opens a realm is not protected.
    private var sections: [(start: UnsafeRawPointer, byteCount: Int)] = unsafe []

    static func all() -> TypeRecords {
      var records = TypeRecords()
      // SAFETY: the function calls the closure before it returns, with the pointer that it was given.
      unsafe withUnsafeMutablePointer(to: &records) { pointer in
        unsafe enumerateAllMetadataSections(
          { (image, context) in
            unsafe context.assumingMemoryBound(to: TypeRecords.self).pointee.add(image)
            return true
          }, UnsafeMutableRawPointer(pointer))
      }
      return records
    }

    private mutating func add(_ image: UnsafeRawPointer) {
      imageCount += 1
      func word(_ index: Int) -> UInt { unsafe image.load(fromByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self) }
      // Word 8 is the start of the type records, word 9 their length.
      guard Self.knownVersions.contains(word(0)), word(9).isMultiple(of: 4) else {
        areKnown = false
        return
      }
      guard word(9) > 0, let start = unsafe UnsafeRawPointer(bitPattern: word(8)) else { return }
      unsafe sections.append((start, Int(word(9))))
    }

    func visit(_ body: (ClassRecord) -> Void) {
      for index in unsafe sections.indices {
        let (start, byteCount) = unsafe sections[index]
        for offset in stride(from: 0, to: byteCount, by: 4) {
          let place = unsafe start + offset
          let relative = unsafe place.load(as: Int32.self)
          guard relative != 0 else { continue }
          let target = unsafe place + Int(relative & ~3)
          // The low bits say whether the record or a pointer to it is there; other kinds are no classes of ours.
          switch relative & 3 {
          case 0: body(unsafe ClassRecord(target))
          case 1: if let record = unsafe target.load(as: UnsafeRawPointer?.self) { body(unsafe ClassRecord(record)) }
          default: continue
          }
        }
      }
    }
  }

  /// The runtime's record of a type: a context descriptor.
  @safe private struct ClassRecord: Hashable {
    // SAFETY: the address of a record in a loaded image.
    private let address: UnsafeRawPointer

    init(_ address: UnsafeRawPointer) { unsafe self.address = address }
    init?(of type: AnyClass) {
      // SAFETY: a metatype is the address of its metadata, which is never freed.
      guard let address = unsafe typeContextDescriptor(unsafeBitCast(type, to: UnsafeRawPointer.self)) else { return nil }
      unsafe self.address = address
    }
    static func == (a: ClassRecord, b: ClassRecord) -> Bool { unsafe a.address == b.address }
    func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }

    private func word(_ offset: Int) -> UInt32 { unsafe address.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    /// What the four bytes at `place`, a distance from themselves, lead to; nil for 0.
    private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
      let distance = unsafe place.loadUnaligned(as: Int32.self)
      return distance == 0 ? nil : unsafe place + Int(distance)
    }

    var isClass: Bool { word(0) & 0x1F == 16 }
    var isGeneric: Bool { word(0) & 0x80 != 0 }
    /// The number of stored properties is at 36, the reference to their records at 16.
    var fieldsAreRecorded: Bool { word(16) != 0 || word(36) == 0 }

    /// The class itself, which must not be generic; the runtime makes it on first use.
    var type: AnyClass? {
      typealias Accessor = @convention(c) (Int) -> UnsafeRawPointer
      guard let accessor = unsafe Self.target(address + 12) else { return nil }
      // SAFETY: the record of a class that is not generic names a function of one argument, which returns its metadata.
      let metadata = unsafe unsafeBitCast(accessor, to: Accessor.self)(0)
      return unsafe unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
    }

    /// What the mangled name of the superclass says without asking the runtime.
    var superclass: Superclass {
      guard let name = unsafe Self.target(address + 20) else { return .none }
      let kind = unsafe name.load(as: UInt8.self)
      guard kind == 1 || kind == 2, unsafe name.load(fromByteOffset: 5, as: UInt8.self) == 0, let place = unsafe Self.target(name + 1)
      else { return .unknown }
      if kind == 1 { return .record(unsafe ClassRecord(place)) }
      guard let record = unsafe place.load(as: UnsafeRawPointer?.self) else { return .unknown }
      return .record(unsafe ClassRecord(record))
    }
  }

  private enum Superclass {
    case none, unknown
    case record(ClassRecord)
  }

  /// Collects the subclasses of one class.
  private struct ClassWalk {
    private enum Ancestry { case derived, foreign, unknown }

    private let root: AnyClass
    private let rootRecord: ClassRecord
    private var known: [ClassRecord: Ancestry]
    private(set) var found: [AnyClass] = []

    init(root: AnyClass, _ record: ClassRecord) {
      self.root = root
      rootRecord = record
      known = [record: .derived]
    }

    mutating func visit(_ record: ClassRecord) {
      guard record.isClass, !record.isGeneric, record != rootRecord else { return }
      switch ancestry(record, depth: 0) {
      case .foreign: return
      case .derived: if let type = record.type { found.append(type) }
      case .unknown:
        // A superclass with generic arguments, or one that is named by text.
        if let type = record.type, isDerived(type) { found.append(type) }
      }
    }

    private func isDerived(_ type: AnyClass) -> Bool {
      var ancestor: AnyClass? = _getSuperclass(type)
      while let current = ancestor {
        if current == root { return true }
        ancestor = _getSuperclass(current)
      }
      return false
    }

    private mutating func ancestry(_ record: ClassRecord, depth: Int) -> Ancestry {
      if let ancestry = known[record] { return ancestry }
      var ancestry = Ancestry.unknown
      if depth < 200 {
        switch record.superclass {
        case .none: ancestry = .foreign
        case .unknown: ancestry = .unknown
        case .record(let parent): ancestry = parent.isClass ? self.ancestry(parent, depth: depth + 1) : .unknown
        }
      }
      known[record] = ancestry
      return ancestry
    }
  }
#endif
