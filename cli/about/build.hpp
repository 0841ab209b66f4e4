// How the program was built, for `heapcheck --version --verbose`.
#pragma once

#include <fmt/format.h>

#include <string>

#include "cli/about/build_values.hpp"
#include "heapcheck/types/format.hpp"

namespace heapcheck::cli {

/// One line for each fact: the revision (if known), the compiler, the libraries and the formats.
inline std::string describe_build() {
  std::string text;
  if (!build::revision.empty()) text += fmt::format("revision:  {}\n", build::revision);
  text +=
      fmt::format("build:     {}, {}, {}{}\n", build::system, build::compiler, build::type, build::linking);
  text += fmt::format("libraries: {}\n", build::libraries);
  for (const Format format : all_formats())
    text += fmt::format("format:    {:<14} {}\n", slug_of(format), title_of(format));
  return text;
}

}  // namespace heapcheck::cli
