#if canImport(Glibc)
  import Glibc

  @_silgen_name("mtrace") private func beginTrace()
  @_silgen_name("muntrace") private func endTrace()

  /// Counts what a piece of work takes from the heap, with the C library's own trace of allocations. The process must have been started
  /// with `LD_PRELOAD=libc_malloc_debug.so.0` and `MALLOC_TRACE` naming a file.
  enum AllocationCounter {
    /// Includes reallocations; not what was freed.
    static func count<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> Int {
      beginTrace()
      let result = Result { () throws(Failure) in try body() }
      endTrace()
      try result.get()
      return tracedCount()
    }

    /// Lines of the trace that end an allocation: `@ PLACE + ADDRESS SIZE`, and `>` for the result of a reallocation.
    private static func tracedCount() -> Int {
      guard let path = unsafe getenv("MALLOC_TRACE"), let file = unsafe fopen(path, "r") else { Agent.fail("no MALLOC_TRACE") }
      defer { unsafe fclose(file) }
      var line = [CChar](repeating: 0, count: 512)
      var (count, lineCount) = (0, 0)
      while unsafe fgets(&line, Int32(line.count), file) != nil {
        lineCount += 1
        let words = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: 32)
        if words.contains([43]) || words.contains([62]) { count += 1 }
      }
      // `= Start` and `= End` at least.
      guard lineCount >= 2 else { Agent.fail("the trace is empty: is libc_malloc_debug.so.0 loaded?") }
      return count
    }
  }
#endif
