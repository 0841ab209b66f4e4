// The settings of jemalloc, which allocates the memory of the program: it asks the system for huge pages,
// because most of the time to read a dump would otherwise be spent on the first write to each page. The
// environment variable MALLOC_CONF overrides them (jemalloc(3)).

// NOLINTBEGIN(readability-identifier-naming): jemalloc finds this by its name
extern "C" {
[[gnu::visibility("default")]] extern const char* const malloc_conf;
const char* const malloc_conf = "thp:always";
}
// NOLINTEND(readability-identifier-naming)
