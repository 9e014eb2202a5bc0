// Instructions that this process has executed in user mode, as the processor counts them.
#pragma once
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A descriptor for `instructions_read`; negative where the system has no counter for us.
static inline int instructions_open(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static inline unsigned long long instructions_read(int descriptor) {
  unsigned long long count = 0;
  return read(descriptor, &count, sizeof count) == sizeof count ? count : 0;
}
