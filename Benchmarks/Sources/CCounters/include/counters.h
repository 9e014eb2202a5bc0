// What this process asks of the system and of the allocator. The functions below the counters stand in for those of the C library in the whole
// program, libraries included; they count and pass on.
#pragma once

/// Of all threads.
struct counters {
  unsigned long long allocations;
  /// `fdatasync`, `fsync`, `msync`.
  unsigned long long barriers;
  /// Calls that write, map, lock, resize or open files, barriers included.
  unsigned long long calls;
  /// Handed to `write`, `pwrite` and `pwritev`.
  unsigned long long written_bytes;
};

struct counters counters_now(void);

/// Calls `body`. Its name tells valgrind where to count.
void counters_region(void (*body)(void *), void *context);
