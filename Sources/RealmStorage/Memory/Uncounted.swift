/// A reference that is not counted: for what is made and dropped so often that counting would cost as much as the work itself, to objects that
/// somebody else holds for as long. Or one that is counted by hand, where only some of them can go without.
@safe struct Uncounted<Object: AnyObject> {
  // SAFETY: whoever makes one holds the object until nobody uses it any more, and says there how.
  private let object: Unmanaged<Object>

  @inline(__always) init(_ object: Object) { unsafe self.object = .passUnretained(object) }

  /// Counts one reference, until `release`.
  @inline(__always) init(retaining object: Object) { unsafe self.object = .passRetained(object) }
  /// Gives up a reference that was counted for this value.
  @inline(__always) func release() { unsafe object.release() }

  /// The object, with a reference of its own.
  @inline(__always) var counted: Object { unsafe object.takeUnretainedValue() }

  /// The object at a position of an array; nil if there is none.
  @inline(__always) init?(_ objects: [Object?], at index: Int) {
    precondition(objects.indices.contains(index))
    // References are stored in the same way, whether somebody counts them or not.
    let found = unsafe objects.withUnsafeBufferPointer { unsafe UnsafeRawPointer($0.baseAddress! + index).load(as: Unmanaged<Object>?.self) }
    guard let object = unsafe found else { return nil }
    unsafe self.object = unsafe object
  }

  @inline(__always)
  func use<Result, Failure>(_ body: (Object) throws(Failure) -> Result) throws(Failure) -> Result {
    // What the standard library has for it does not know what is thrown.
    let result: Swift.Result<Result, Failure> = unsafe object._withUnsafeGuaranteedRef { (object) in
      do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
    }
    // `get` would leave the result behind, and count what is in it.
    switch consume result {
    case .success(let value): return value
    case .failure(let error): throw error
    }
  }
}

extension Uncounted: Sendable where Object: Sendable {}
