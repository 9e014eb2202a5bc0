/// Whether the caller holds the only reference of any kind to an object: no other strong one, and none that is weak or unowned.
///
/// `isKnownUniquelyReferenced` ignores weak and unowned references, which would see the object become another one. The runtime keeps all counts
/// in the second word of an object, which looks like that of a new object only if there is one reference in all.
@inline(__always) func isUnshared(_ object: ObjectBase) -> Bool {
  SharingProbe.newObjectCounts == SharingProbe.counts(object)
}

/// Finds out at start-up whether the runtime counts as `isUnshared` expects.
enum SharingProbe {
  // SAFETY: every native object begins with its metadata and its counts, two words.
  @inline(__always) static func counts(_ object: AnyObject) -> UInt {
    unsafe Unmanaged.passUnretained(object).toOpaque().load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// The counts of an object with one reference; all ones, which no object has, if they do not tell what they should.
  static let newObjectCounts: UInt = {
    let alone = countsAlone { _ in () }
    let isTold = [countsAlone { [$0] }, countsAlone { WeakReference($0) }, countsAlone { UnownedReference($0) }].allSatisfy { $0 != alone }
    let isStable = countsAlone { _ in () } == alone
    return isTold && isStable ? alone : .max
  }()

  private final class Subject {}
  private struct WeakReference {
    weak var subject: Subject?
    init(_ subject: Subject) { self.subject = subject }
  }
  private struct UnownedReference {
    unowned let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
  }

  /// The counts of a new object while what `refer` returns exists.
  @inline(never) private static func countsAlone<Reference>(_ refer: (Subject) -> Reference) -> UInt {
    let subject = unsafe Unmanaged.passRetained(Subject())
    defer { unsafe subject.release() }
    let reference = unsafe subject._withUnsafeGuaranteedRef { refer($0) }
    return withExtendedLifetime(reference) { unsafe subject._withUnsafeGuaranteedRef { counts($0) } }
  }
}
