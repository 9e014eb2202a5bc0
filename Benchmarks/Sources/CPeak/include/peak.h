#pragma once
#include <stddef.h>

/// From now on all memory of the heap is counted. Not for several threads at once: only one measures.
void peak_begin(void);
/// Ends the counting.
/// Returns the most bytes that were in use beyond those at its beginning, at any moment since.
size_t peak_end(void);
