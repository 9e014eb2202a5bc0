#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The FIFO beside a realm file that tells other processes of commits. T5.6.
///
/// One byte stays in it; taking it out and putting it back makes one edge for every watcher, the writer included. A hint: whoever wakes
/// compares the newest version with its own. Nobody consumes it as a queue, so a level-triggered wait on it never sleeps.
package final class NoteFIFO: Sendable {
  /// Open for reading and writing, non-blocking. For an edge-triggered watcher (epoll with `EPOLLET`, kqueue with `EV_CLEAR`).
  package let descriptor: Int32

  /// The FIFO at `path`, created if missing; nil where the file system or the permissions allow none. Other engines then agree on a name
  /// formed with their C++ library's hash, which we cannot compute: commits are not announced.
  /// - Throws: `.fileExists` when something else has that name.
  package init?(path: String) throws(StorageError) {
    guard unsafe mkfifo(path, 0o666) == 0 || errno == EEXIST else { return nil }
    let opened = FileCalls.openFile(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW)
    guard opened >= 0 else {
      if [EISDIR, ELOOP, ENXIO].contains(errno) { throw .fileExists(path: path) }
      return nil
    }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      close(opened)
      throw .fileExists(path: path)
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Wakes every watcher. Never blocks; a failure means that a hint is lost, which they must expect anyway.
  package func poke() {
    let chunkByteCount = 512
    unsafe withUnsafeTemporaryAllocation(byteCount: chunkByteCount, alignment: 1) { buffer in
      // A FIFO holds 64 KiB; the limit is for somebody who keeps writing.
      var rounds = 0
      while rounds < 256, unsafe read(descriptor, buffer.baseAddress, chunkByteCount) == chunkByteCount { rounds += 1 }
      unsafe buffer[0] = 0
      _ = unsafe write(descriptor, buffer.baseAddress, 1)
    }
  }
}
