#include "conformance/recipe/labels.hpp"

#include <algorithm>
#include <array>
#include <deque>

namespace heapcheck::conformance {
namespace {

/// The names of groups that are left out of labels.
constexpr std::array<std::string_view, 5> unnamed{"content", "json", "entries", "blocks", "half"};

/// The label of `node`, given the label of its parent.
std::string extend(const std::string& label, const Node& node) {
  if (node.name.empty() || std::ranges::count(unnamed, node.name) != 0) return label;
  if (!node.name.starts_with('[')) return label.empty() ? node.name : label + "." + node.name;
  constexpr std::string_view frame = ".frame";
  return (label.ends_with(frame) ? label.substr(0, label.size() - frame.size()) : label) + node.name;
}

struct Step {
  const Node* node;
  std::string label;
  bool is_named;
};

}  // namespace

bool is_at(const Spot& spot, const FoundFinding& finding) {
  if (!finding.content_offset) return spot.file.offset == finding.offset;
  const bool is_in_block = finding.offset >= spot.block.offset && finding.offset < spot.block.end();
  return is_in_block && spot.content && spot.content->offset == *finding.content_offset;
}

std::string describe_place(const Built& built, const FoundFinding& finding) {
  const Node& root = built.document.root();
  std::deque<Step> todo{{&root, "", false}};
  while (!todo.empty()) {
    const Step step = std::move(todo.front());
    todo.pop_front();
    const auto spot = built.layout.find(step.node->id);
    if (step.is_named && spot != built.layout.end() && is_at(spot->second, finding)) return step.label;
    for (const Node& child : step.node->children) {
      std::string label = extend(step.label, child);
      const bool is_part = step.node == &root && !child.is_block && !child.children.empty();
      const bool is_named = !is_part && label != step.label;
      todo.push_back({&child, std::move(label), is_named});
    }
  }
  if (!finding.content_offset && built.layout.at(root.id).file.end() == finding.offset) return "end of file";
  return std::to_string(finding.offset);
}

}  // namespace heapcheck::conformance
