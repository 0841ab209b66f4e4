// What a case file says, line by line: how the bytes are made and what a validator must find in
// them. Plain values that the grammar fills in; README.md describes the notation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heapcheck::conformance {

/// A place in the bytes: a byte offset where `label` is empty, else an edge of what it names.
struct Place {
  std::string label;
  bool at_end = false;
  std::int64_t shift = 0;  ///< bytes further on; the offset itself where there is no label
};

/// How many bytes `label` has, and `shift` more.
struct SizeOf {
  std::string label;
  std::int64_t shift = 0;
};

/// A number, bytes, or a number that follows from the layout.
using Value = std::variant<std::uint64_t, std::string, Place, SizeOf>;

/// Something that bytes are made of: `column colkind u16 9 5 1`.
struct Element {
  std::string word;          ///< what it is: `bytes`, `u64`, `column`
  std::string name;          ///< its label
  unsigned entry_bytes = 0;  ///< of the numbers; 0 where not given
  std::vector<Value> arguments;
};

namespace statement {

/// `title`, `why` and `spec`: for people.
struct Remark {
  std::string word;
  std::string text;
};
struct Limit {
  std::string name;
  std::uint64_t value = 0;
};
/// `for devtools`: check what this reader needs too.
struct ForReader {
  std::string name;
};
struct UseBase {
  std::string name;
};
/// Elements that follow belong to this group.
struct InGroup {
  std::string name;
};
struct Add {
  Element element;
};
/// Changes of the recipe: sizes and tables of contents follow.
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
  bool behind = false;
  std::string to;
};
struct Insert {
  Element element;
  bool behind = false;
  std::string label;
};
/// Replaces compressed content by `count` times one byte, as zstd RLE blocks.
struct Fill {
  std::string label;
  std::uint64_t count = 0;
  std::uint64_t byte = 0;
};
/// Changes of the finished bytes: nothing else follows.
struct Patch {
  Place place;
  Value value;
};
struct Cut {
  Place place;
};
struct Wrap {
  std::string compression;
};
/// What a validator must say.
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
