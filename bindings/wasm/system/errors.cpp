// Replaces the function that Debian's libc++ calls where it would throw, because it is built without
// exceptions. A text that would be larger than 2 GiB must not end the module.
#include <stdexcept>
#include <string_view>

void std::__libcpp_verbose_abort(const char* format, ...) {
  if (std::string_view(format).starts_with("length_error")) throw std::length_error("text");
  __builtin_trap();
}
