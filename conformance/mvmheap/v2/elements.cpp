#include "conformance/mvmheap/v2/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v2/layout.hpp"

namespace heapcheck::conformance::mvmheap::v2 {
namespace {

namespace format = heapcheck::mvmheap::v2;

struct Field {
  std::string_view name;
  std::size_t byte_count;
};

constexpr std::array<Field, 6> collectable_fields{{{"kind", 2},
                                                   {"type_or_frame_index", 4},
                                                   {"size", 2},
                                                   {"unmanaged_size", 8},
                                                   {"refs_start", 8},
                                                   {"num_refs", 4}}};
constexpr std::array<Field, 2> type_fields{{{"repr_name", 8}, {"type_name", 8}}};
constexpr std::array<Field, 4> frame_fields{{{"name", 8}, {"cuid", 8}, {"line", 8}, {"file", 8}}};

using Numbers = std::span<const std::uint64_t>;

Node make_entry(Document& document, std::size_t i, std::span<const Field> fields, Numbers values) {
  std::vector<Node> nodes;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    nodes.push_back(document.make_integer(fields[f].name, fields[f].byte_count, {.value = values[f]}));
  }
  return document.make_group(fmt::format("[{}]", i), std::move(nodes));
}

Node make_reference(Document& document, std::size_t i, Numbers values) {
  const format::Width width = format::narrowest_width(values[1], values[2]);
  std::vector<Node> nodes;
  nodes.push_back(document.make_integer("width", 1, {.value = width.code}));
  nodes.push_back(document.make_integer("kind", 1, {.value = values[0]}));
  nodes.push_back(document.make_integer("index", width.byte_count, {.value = values[1]}));
  nodes.push_back(document.make_integer("target", width.byte_count, {.value = values[2]}));
  return document.make_group(fmt::format("[{}]", i), std::move(nodes));
}

Node make_string(Document& document, std::size_t i, std::string_view text) {
  Node bytes = document.make_bytes("text", text);
  std::vector<Node> nodes;
  nodes.push_back(document.make_integer("length", 8, {Amount::Of::size, bytes.id, 0}));
  nodes.push_back(std::move(bytes));
  return document.make_group(fmt::format("[{}]", i), std::move(nodes));
}

/// Makes entries with `fields` numbers each.
template <class Make>
std::expected<std::vector<Node>, BuildError> make_entries(const Element& element, std::size_t fields,
                                                          Make&& make) {
  std::vector<std::uint64_t> numbers;
  for (const Value& argument : element.arguments) {
    const auto* number = std::get_if<std::uint64_t>(&argument);
    if (number == nullptr)
      return std::unexpected("found an argument that is not a NUMBER, expected only NUMBERs");
    numbers.push_back(*number);
  }
  if (numbers.size() % fields != 0)
    return std::unexpected(
        fmt::format("found {}, expected a multiple of {}", core::counted(numbers.size(), "number"), fields));
  std::vector<Node> entries;
  for (std::size_t at = 0; at < numbers.size(); at += fields) {
    entries.push_back(make(entries.size(), Numbers(numbers).subspan(at, fields)));
  }
  return entries;
}

std::expected<std::vector<Node>, BuildError> make_content(Document& document, const Element& element) {
  const auto of = [&](std::span<const Field> fields) {
    return make_entries(element, fields.size(), [&document, fields](std::size_t i, Numbers values) {
      return make_entry(document, i, fields, values);
    });
  };
  if (element.name == "coll") return of(collectable_fields);
  if (element.name == "type") return of(type_fields);
  if (element.name == "fram") return of(frame_fields);
  if (element.name == "refs") {
    return make_entries(element, 3,
                        [&](std::size_t i, Numbers values) { return make_reference(document, i, values); });
  }
  std::vector<Node> strings;
  for (const Value& argument : element.arguments) {
    const auto* text = std::get_if<std::string>(&argument);
    if (text == nullptr) return std::unexpected("found an argument that is not a TEXT, expected only TEXTs");
    strings.push_back(make_string(document, strings.size(), *text));
  }
  return strings;
}

}  // namespace

std::expected<Node, BuildError> make_section(Document& document, const Element& element) {
  const auto* info = std::ranges::find(format::sections, element.name, &format::SectionInfo::tag);
  if (info == format::sections.end())
    return std::unexpected(fmt::format("{} is not a section", element.name));
  auto content = make_content(document, element);
  if (!content) return std::unexpected(content.error());
  const std::uint64_t count = content->size();
  std::vector<Node> half;  // the head and the first half of the entries, whose total size is in the index
  half.push_back(document.make_bytes("tag", info->tag));
  half.push_back(document.make_integer("count", 8, {.value = count}));
  if (info->entry_bytes != 0)
    half.push_back(document.make_integer("entry_size", 8, {.value = info->entry_bytes}));
  const auto middle = content->begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::move(content->begin(), middle, std::back_inserter(half));
  std::vector<Node> nodes;
  nodes.push_back(document.make_group("half", std::move(half)));
  std::move(middle, content->end(), std::back_inserter(nodes));
  Node section = document.make_group(element.name, std::move(nodes));
  section.is_block = true;
  return section;
}

}  // namespace heapcheck::conformance::mvmheap::v2
