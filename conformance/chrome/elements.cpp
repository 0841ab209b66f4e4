#include "conformance/chrome/elements.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string>

namespace heapcheck::conformance::chrome {
namespace {

/// A set of distinct names, in the order in which they were first added.
class Names {
 public:
  std::size_t find_or_add(const std::string& name) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return i;
    }
    names_.push_back(name);
    return names_.size() - 1;
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// The id of the stack with this path. Adds the stack and, before it, all of its callers to `stacks`.
std::string find_stack(const std::string& path, Names& stacks) {
  if (path == "/") return "";
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    stacks.find_or_add(path.substr(0, end));
  return std::to_string(stacks.find_or_add(path));
}

std::string make_frames(Names stacks) {
  std::string text;
  for (const std::string& path : std::vector(stacks.all())) {
    const std::size_t slash = path.rfind('/');
    const std::string parent =
        slash == 0 ? "" : fmt::format(R"(,"parent":"{}")", stacks.find_or_add(path.substr(0, slash)));
    text += fmt::format(R"({}"{}":{{"name":"{}"{}}})", text.empty() ? "" : ",", stacks.find_or_add(path),
                        path.substr(slash + 1), parent);
  }
  return text;
}

std::string make_types(const Names& types) {
  std::string text;
  for (std::size_t i = 0; i < types.all().size(); ++i)
    text += fmt::format(R"({}"{}":"{}")", i == 0 ? "" : ",", i, types.all()[i]);
  return text;
}

/// Encodes an entry as JSON. Returns an error if `text` is not an entry.
std::expected<std::string, BuildError> make_entry(const std::string& text, Names& stacks, Names& types) {
  std::istringstream words(text);
  std::uint64_t size = 0;
  std::string path;
  std::string type;
  if (!(words >> size >> path) || path.front() != '/')
    return std::unexpected(fmt::format("found the entry {}, expected SIZE /STACK [TYPE]", text));
  const std::string stack = find_stack(path, stacks);
  const std::string of_type =
      words >> type ? fmt::format(R"(,"type":"{}")", types.find_or_add(type)) : std::string();
  return fmt::format(R"({{"size":"{:x}","bt":"{}"{}}})", size, stack, of_type);
}

std::string make_metadata(std::string_view name, std::string_view content) {
  return fmt::format("{{\"pid\":7,\"ph\":\"M\",\"name\":\"{}\",\"args\":{{\"{}\":{{{}}}}}}},\n", name, name,
                     content);
}

}  // namespace

std::expected<Node, BuildError> make_entries(Document& document, const Element& element) {
  Names stacks;
  Names types;
  std::vector<Node> entries;
  for (const Value& argument : element.arguments) {
    const auto* text = std::get_if<std::string>(&argument);
    if (text == nullptr) return std::unexpected("found an argument that is not a TEXT, expected only TEXTs");
    const auto entry = make_entry(*text, stacks, types);
    if (!entry) return std::unexpected(entry.error());
    if (!entries.empty()) entries.push_back(document.make_bytes("comma", ",\n"));
    entries.push_back(document.make_bytes(fmt::format("[{}]", entries.size() / 2), *entry));
  }
  std::vector<Node> nodes;
  nodes.push_back(document.make_bytes("open", "{\"traceEvents\":[\n"));
  nodes.push_back(document.make_bytes("frames", make_metadata("stackFrames", make_frames(stacks))));
  nodes.push_back(document.make_bytes("types", make_metadata("typeNames", make_types(types))));
  nodes.push_back(document.make_bytes(
      "head", R"({"pid":7,"ph":"v","id":"0x1","name":"x","args":{"dumps":{"heaps":{"malloc":{"entries":[)"));
  for (Node& entry : entries) nodes.push_back(std::move(entry));
  nodes.push_back(document.make_bytes("close", "]}}}}}]}\n"));
  return document.make_group(element.name, std::move(nodes));
}

}  // namespace heapcheck::conformance::chrome
