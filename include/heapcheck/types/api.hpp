// Marks the symbols of a shared libheapcheck that are visible to programs.
#pragma once

#if defined(__GNUC__)
#define HEAPCHECK_API __attribute__((visibility("default")))
#else
#define HEAPCHECK_API
#endif
