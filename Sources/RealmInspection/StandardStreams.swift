#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard input, output and error of the process.
package enum StandardStreams {
  /// Keeps the numbers of streams with which the program was not started from becoming those of files that it opens: else what is meant for
  /// standard output is written into a database or its lock file. Reading and writing them fails as before.
  package static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free. Not to be read from, or written to, so that nobody takes an answer for written.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
