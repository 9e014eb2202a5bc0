#define _GNU_SOURCE
#include "counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_ullong allocations, barriers, calls, written_bytes;

static void count(atomic_ullong *counter, unsigned long long by) { atomic_fetch_add_explicit(counter, by, memory_order_relaxed); }

struct counters counters_now(void) {
  struct counters now = {atomic_load(&allocations), atomic_load(&barriers), atomic_load(&calls), atomic_load(&written_bytes)};
  return now;
}

void counters_region(void (*body)(void *), void *context) {
  body(context);
  // Else the call would be a jump, and this function would have ended before it.
  __asm__ volatile("");
}

// The allocator. glibc keeps its own under these names for programs that do this.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count(&allocations, 1);
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count(&allocations, 1);
  return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
  count(&allocations, 1);
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count(&allocations, 1);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  count(&allocations, 1);
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

// The system.

int fdatasync(int descriptor) {
  count(&barriers, 1);
  count(&calls, 1);
  return (int)syscall(SYS_fdatasync, descriptor);
}
int fsync(int descriptor) {
  count(&barriers, 1);
  count(&calls, 1);
  return (int)syscall(SYS_fsync, descriptor);
}
int msync(void *address, size_t length, int flags) {
  count(&barriers, 1);
  count(&calls, 1);
  return (int)syscall(SYS_msync, address, length, flags);
}

static ssize_t written(ssize_t count_of_bytes) {
  if (count_of_bytes > 0) count(&written_bytes, (unsigned long long)count_of_bytes);
  count(&calls, 1);
  return count_of_bytes;
}
ssize_t write(int descriptor, const void *bytes, size_t length) { return written(syscall(SYS_write, descriptor, bytes, length)); }
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return written(syscall(SYS_pwrite64, descriptor, bytes, length, offset));
}
ssize_t pwritev(int descriptor, const struct iovec *parts, int number, off_t offset) {
  // 64-bit systems: the offset is one word, the upper one stays empty.
  return written(syscall(SYS_pwritev, descriptor, parts, number, offset, 0));
}
ssize_t pread(int descriptor, void *bytes, size_t length, off_t offset) {
  count(&calls, 1);
  return syscall(SYS_pread64, descriptor, bytes, length, offset);
}
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  count(&calls, 1);
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
int munmap(void *address, size_t length) {
  count(&calls, 1);
  return (int)syscall(SYS_munmap, address, length);
}
int ftruncate(int descriptor, off_t length) {
  count(&calls, 1);
  return (int)syscall(SYS_ftruncate, descriptor, length);
}
int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  count(&calls, 1);
  return (int)syscall(SYS_fcntl, descriptor, command, argument);
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  count(&calls, 1);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
