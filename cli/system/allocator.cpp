// The settings of jemalloc, which allocates the memory of the program. It asks the system for huge pages,
// because most of the time to read a dump would otherwise be spent on the first write to each page. All
// threads share one arena, which exists from the start: version 5.3 crashes if there is no memory for the
// arena of a new thread, and each one keeps pages of its own. The environment variable MALLOC_CONF overrides
// the settings (jemalloc(3)).

// NOLINTBEGIN(readability-identifier-naming): jemalloc finds this by its name
extern "C" {
[[gnu::visibility("default")]] extern const char* const malloc_conf;
const char* const malloc_conf = "thp:always,narenas:1,oversize_threshold:0";
}
// NOLINTEND(readability-identifier-naming)
