#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether the given reference is the only one of any kind to an object: there is no other strong one, and none that is weak or unowned.
///
/// `isKnownUniquelyReferenced` ignores weak and unowned references, which would see the object become another one. The runtime keeps all counts
/// in the second word of an object, which looks like that of a new object only if there is one reference in all.
@inline(__always) func isUnshared(_ object: Unmanaged<ObjectBase>) -> Bool {
  unsafe SharingProbe.newObjectCounts == SharingProbe.counts(object.toOpaque())
}

/// Finds out at start-up whether the runtime counts as `isUnshared` expects.
enum SharingProbe {
  // SAFETY: every native object begins with its metadata and its counts, two words.
  @inline(__always) static func counts(_ object: UnsafeMutableRawPointer) -> UInt {
    unsafe object.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
  }

  /// The counts of an object with one reference; all ones, which no object has, if they do not tell what they should.
  static let newObjectCounts: UInt = {
    let alone = counts { _ in nil }
    let shared = [counts { StrongReference($0) }, counts { WeakReference($0) }, counts { UnownedReference($0) }]
    return shared.contains(alone) || counts { _ in nil } != alone ? .max : alone
  }()

  private final class Subject {}

  // Classes whose references are looked at afterwards: the optimiser would leave out others.
  private class Reference { var current: Subject? { nil } }
  private final class StrongReference: Reference {
    private let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }
  private final class WeakReference: Reference {
    private weak var subject: Subject?
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }
  private final class UnownedReference: Reference {
    private unowned let subject: Subject
    init(_ subject: Subject) { self.subject = subject }
    override var current: Subject? { subject }
  }

  /// The counts of a new object while what `refer` returns exists; 0 if that is not what it should be.
  @inline(never) private static func counts(_ refer: (Subject) -> Reference?) -> UInt {
    let subject = unsafe Unmanaged.passRetained(Subject())
    defer { unsafe subject.release() }
    let reference = unsafe subject._withUnsafeGuaranteedRef { refer($0) }
    // A call that the optimiser knows nothing of: it must not put off making the reference.
    _ = getppid()
    let counts = unsafe counts(subject.toOpaque())
    let isReferred = unsafe subject._withUnsafeGuaranteedRef { subject in reference.map { $0.current === subject } ?? true }
    return isReferred ? counts : 0
  }
}
