// The statements of a case file, which build its bytes and list the findings expected in them. The grammar
// fills in these values; README.md describes the notation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heapcheck::conformance {

/// A place in the bytes: the start or end of the node called `label`, or a byte offset if `label` is empty.
struct Place {
  std::string label;
  bool at_end = false;
  std::int64_t shift = 0;  ///< added to the start or end; this is the offset itself if there is no label
};

/// The size in bytes of the node called `label`, plus `shift`.
struct SizeOf {
  std::string label;
  std::int64_t shift = 0;
};

/// A number, bytes, or a number taken from the layout.
using Value = std::variant<std::uint64_t, std::string, Place, SizeOf>;

/// An element, such as `column colkind u16 9 5 1`.
struct Element {
  std::string word;          ///< its first word, such as `bytes`, `u64` or `column`
  std::string name;          ///< its label
  unsigned entry_bytes = 0;  ///< the size of each number; 0 if there is no entry type
  std::vector<Value> arguments;
};

namespace statement {

/// `title`, `why` and `spec`, which are meant for humans.
struct Remark {
  std::string word;
  std::string text;
};
struct Limit {
  std::string name;
  std::uint64_t value = 0;
};
/// `for devtools`: also check the requirements of this reader.
struct ForReader {
  std::string name;
};
struct UseBase {
  std::string name;
};
/// The elements that follow belong to this group.
struct InGroup {
  std::string name;
};
struct Add {
  Element element;
};
/// Changes to the recipe. Sizes and tables of contents are adjusted.
struct Set {
  std::string label;
  Value value;
};
struct Drop {
  std::string label;
};
struct Duplicate {
  std::string label;
  std::string name;
};
struct Move {
  std::string label;
  bool is_after = false;
  std::string to;
};
struct Insert {
  Element element;
  bool is_after = false;
  std::string label;
};
/// Replaces compressed content with one byte repeated `count` times, as zstd RLE blocks.
struct Fill {
  std::string label;
  std::uint64_t count = 0;
  std::uint64_t byte = 0;
};
/// Changes to the finished bytes. Nothing else is adjusted.
struct Patch {
  Place place;
  Value value;
};
struct Cut {
  Place place;
};
struct Wrap {
  std::string what;
};
/// The verdict and the findings that a validator must report.
struct Expect {
  std::string verdict;
};
struct Finding {
  std::string rule;
  Place place;
  std::string path;
};

}  // namespace statement

using Statement =
    std::variant<statement::Remark, statement::Limit, statement::ForReader, statement::UseBase,
                 statement::InGroup, statement::Add, statement::Set, statement::Drop, statement::Duplicate,
                 statement::Move, statement::Insert, statement::Fill, statement::Patch, statement::Cut,
                 statement::Wrap, statement::Expect, statement::Finding>;

}  // namespace heapcheck::conformance
