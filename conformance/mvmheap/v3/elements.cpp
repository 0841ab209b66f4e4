#include "conformance/mvmheap/v3/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::conformance::mvmheap::v3 {
namespace {

using heapcheck::mvmheap::v3::kind_bytes;

Node make_kind(Document& document, std::string_view kind) {
  return document.make_bytes("kind", kind, kind_bytes);
}

Node finish(Document& document, const Element& element, std::vector<Node> fields) {
  Node block = document.make_group(element.name, std::move(fields));
  block.is_block = true;
  return block;
}

std::expected<Node, BuildError> make_meta(Document& document, const Element& element) {
  const auto* text =
      element.arguments.size() == 1 ? std::get_if<std::string>(&element.arguments.front()) : nullptr;
  if (text == nullptr) return std::unexpected("found no TEXT in a meta block, expected one");
  std::vector<Node> content_parts;
  content_parts.push_back(document.make_group("json", make_json(document, *text)));
  content_parts.push_back(document.make_bytes("nul", {}, 1));
  Node content = document.make_group("content", std::move(content_parts));
  std::vector<Node> fields;
  fields.push_back(make_kind(document, element.name));
  fields.push_back(document.make_integer("size", 8, {Amount::Of::size, content.id, 0}));
  fields.push_back(std::move(content));
  return finish(document, element, std::move(fields));
}

std::expected<Node, BuildError> make_column(Document& document, const Element& element) {
  if (element.entry_bytes == 0)
    return std::unexpected("found a column without an entry type, expected u8, u16, u32 or u64");
  std::vector<Node> values;
  for (const Value& argument : element.arguments) {
    const auto* number = std::get_if<std::uint64_t>(&argument);
    if (number == nullptr)
      return std::unexpected("found an argument that is not a NUMBER, expected only NUMBERs");
    values.push_back(
        document.make_integer(fmt::format("[{}]", values.size()), element.entry_bytes, {.value = *number}));
  }
  std::vector<Node> fields;
  fields.push_back(make_kind(document, element.name));
  fields.push_back(document.make_integer("entry_bytes", 2, {.value = element.entry_bytes}));
  fields.push_back(document.make_integer("size", 8, {}));
  fields.push_back(document.make_frame(std::move(values)));
  return finish(document, element, std::move(fields));
}

std::expected<Node, BuildError> make_strings(Document& document, const Element& element) {
  std::vector<Node> strings;
  for (const Value& argument : element.arguments) {
    const auto* text = std::get_if<std::string>(&argument);
    if (text == nullptr) return std::unexpected("found an argument that is not a TEXT, expected only TEXTs");
    Node bytes = document.make_bytes("text", *text);
    std::vector<Node> parts;
    parts.push_back(document.make_integer("length", 4, {Amount::Of::size, bytes.id, 0}));
    parts.push_back(std::move(bytes));
    strings.push_back(document.make_group(fmt::format("[{}]", strings.size()), std::move(parts)));
  }
  std::vector<Node> fields;
  fields.push_back(make_kind(document, element.name));
  fields.push_back(document.make_integer("size", 8, {}));
  fields.push_back(document.make_frame(std::move(strings)));
  return finish(document, element, std::move(fields));
}

std::expected<Node, BuildError> make_toc(Document& document, const Element& element) {
  if (element.name != "inner" && element.name != "outer") return std::unexpected("a toc is inner or outer");
  Node entries = document.make_group("entries", {});
  std::vector<Node> fields;
  fields.push_back(make_kind(document, "toc"));
  fields.push_back(document.make_integer("count", 8, {Amount::Of::child_count, entries.id, 0}));
  fields.push_back(std::move(entries));
  fields.push_back(document.make_integer("own_start", 8, {}));
  Node block = finish(document, element, std::move(fields));
  block.children.back().amount = {Amount::Of::start, block.id, 0};
  block.pending = element.name == "outer" ? Node::Listing::file : Node::Listing::part;
  return block;
}

}  // namespace

std::vector<Node> make_json(Document& document, std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  std::vector<Node> nodes;
  std::size_t done = 0;
  for (std::size_t quote = text.find("\": "); quote != std::string_view::npos;
       quote = text.find("\": ", quote + 1)) {
    const std::size_t value = quote + 3;
    const std::size_t value_end = std::min(text.find_first_not_of(digits, value), text.size());
    const std::size_t name = text.rfind('"', quote - 1) + 1;
    if (value == value_end || name == 0) continue;
    nodes.push_back(document.make_bytes("", text.substr(done, value - done)));
    nodes.push_back(
        document.make_bytes(text.substr(name, quote - name), text.substr(value, value_end - value)));
    done = value_end;
  }
  nodes.push_back(document.make_bytes("", text.substr(done)));
  return nodes;
}

std::expected<Node, BuildError> make_block(Document& document, const Element& element) {
  if (element.word == "meta") return make_meta(document, element);
  if (element.word == "column") return make_column(document, element);
  if (element.word == "strings") return make_strings(document, element);
  if (element.word == "toc") return make_toc(document, element);
  return std::unexpected(fmt::format("{} is not a block of this format", element.word));
}

}  // namespace heapcheck::conformance::mvmheap::v3
