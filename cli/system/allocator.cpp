// The settings of jemalloc, which allocates the memory of the program. All threads share one arena, which
// exists from the start: version 5.3 crashes if there is no memory for the arena of a new thread, and each
// one keeps pages of its own. Whether pages are huge is left to the system: in a virtual machine that returns
// free memory to its host, the first write to a huge page can take ten times as long as to small ones of the
// same size. The environment variable MALLOC_CONF overrides the settings (jemalloc(3)).

// NOLINTBEGIN(readability-identifier-naming): jemalloc finds this by its name
extern "C" {
[[gnu::visibility("default")]] extern const char* const malloc_conf;
const char* const malloc_conf = "narenas:1,oversize_threshold:0";
}
// NOLINTEND(readability-identifier-naming)
