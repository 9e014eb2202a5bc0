#define _GNU_SOURCE
#include "peak.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool is_counting;
static atomic_llong in_use, peak;

void peak_begin(void) {
  atomic_store(&in_use, 0);
  atomic_store(&peak, 0);
  atomic_store(&is_counting, true);
}

size_t peak_end(void) {
  atomic_store(&is_counting, false);
  return (size_t)atomic_load(&peak);
}

/// While nobody counts, this costs one look at a word that is in the cache.
static inline bool counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }

static void add(long long bytes) {
  long long now = atomic_fetch_add_explicit(&in_use, bytes, memory_order_relaxed) + bytes;
  long long most = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > most && !atomic_compare_exchange_weak_explicit(&peak, &most, now, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static void *taken(void *memory) {
  if (memory && counts()) add((long long)malloc_usable_size(memory));
  return memory;
}

static void given_back(void *memory) {
  if (memory && counts()) add(-(long long)malloc_usable_size(memory));
}

// The allocator. glibc keeps its own under these names for programs that do this.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return taken(__libc_calloc(number, size)); }
void *realloc(void *old, size_t size) {
  given_back(old);
  return taken(__libc_realloc(old, size));
}
void *aligned_alloc(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = taken(__libc_memalign(alignment, size));
  return *result ? 0 : ENOMEM;
}
void free(void *memory) {
  given_back(memory);
  __libc_free(memory);
}
