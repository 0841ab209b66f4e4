// A rule: what can be wrong with a file, under a permanent id. Rules are constexpr records that
// stand beside the code that raises them; validate/catalog.cpp lists them all.
#pragma once

#include <string_view>

namespace heapcheck::core {

enum class Severity {
  note,     ///< a named quirk of a real writer, or lost information
  warning,  ///< readable, but contradicts the format or itself
  error,    ///< a conforming reader may misread or refuse the file
};

/// When a rule is raised, which also says what it means for the verdict.
enum class Stage {
  read,   ///< the bytes do not follow the grammar: not well-formed
  check,  ///< well-formed, but a rule of the format does not hold: not valid
  limit,  ///< a cap of Limits was reached: undecided
};

struct Rule {
  std::string_view id;      ///< dotted, lower case, permanent: `mvm3.toc.entry-bounds`
  Severity severity;        ///< the default
  Stage stage;              ///< what a finding of it means
  std::string_view title;   ///< one line, what must hold
  std::string_view reason;  ///< what goes wrong for readers when it does not
  std::string_view anchor;  ///< paragraph below spec/: `mvmheap/v3.md#toc`
  std::string_view since;   ///< first heapcheck version that has it
};

}  // namespace heapcheck::core
