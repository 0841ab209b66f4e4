#include "analyze/program_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "formats/core/text/source_path.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

std::string_view file_at(const Graph& graph, const SourcePlace& place) {
  return place.file == Graph::no_text ? std::string_view() : graph.texts[place.file];
}

}  // namespace

bool is_program_file(std::string_view file, bool has_absolute) {
  constexpr auto runtime =
      std::to_array<std::string_view>({"node:", "internal/", "ext:", "deno:", "bun:", "builtin:", "native ",
                                       "extensions::", "chrome-extension://"});
  const auto starts = [file](std::string_view start) { return file.starts_with(start); };
  if (std::ranges::any_of(runtime, starts)) return false;
  return !has_absolute || core::is_absolute(file) || file.starts_with("[eval") ||
         file.starts_with("evalmachine.") || file.starts_with("REPL");
}

ProgramParts::ProgramParts(const Graph& graph)
    : graph_(graph),
      has_absolute_(std::ranges::any_of(
          graph.source_places,
          [&](const SourcePlace& place) { return core::is_absolute(file_at(graph, place)); })),
      own_(graph.node_count()) {
  std::vector<bool> is_own;
  is_own.reserve(graph.source_places.size());
  for (const SourcePlace& place : graph.source_places) {
    const std::string_view file = file_at(graph, place);
    is_own.push_back(!file.empty() && is_program_file(file, has_absolute_));
  }
  for (const NodePlace& at : graph.node_places) {
    if (is_own[at.place]) own_.add(at.node);
  }
}

std::string_view ProgramParts::file_of(std::uint32_t node) const {
  const SourcePlace* const place = graph_.node(node).place();
  return place == nullptr ? std::string_view() : file_at(graph_, *place);
}

std::optional<std::uint32_t> ProgramParts::find_inner(std::uint32_t node,
                                                      const DominatedNodes& dominated) const {
  constexpr std::size_t most = 60;
  if (is_of_program(node)) return node;
  std::vector<std::uint32_t> found{node};
  for (std::size_t next = 0; next < found.size() && next < most; ++next) {
    if (is_of_program(found[next])) return found[next];
    const auto below = dominated.of(found[next]);
    const auto first = below.first(std::min(most, below.size()));
    found.insert(found.end(), first.begin(), first.end());
  }
  std::size_t seen = 0;
  for (const Edge edge : graph_.node(node).edges()) {
    if (++seen > most) break;
    if (!edge.kind().is_weak && is_of_program(edge.target())) return edge.target();
  }
  return std::nullopt;
}

bool ProgramParts::is_variable(const Edge& edge, std::uint32_t source) const {
  return edge.kind().name == "context" ||
         (edge.kind().name == "variable" && graph::is_context(graph_.node(source)));
}

bool ProgramParts::is_property(const Edge& edge) {
  return edge.kind().name == "property" && edge.name() != "__proto__" && !edge.name().empty();
}

bool ProgramParts::is_from_call(const Edge& edge, std::uint32_t source) const {
  return graph::is_from_call(edge) && is_of_program(source);
}

bool ProgramParts::is_global(std::uint32_t node) const {
  const std::string_view name = graph_.node(node).name();
  return name == "global" || name.starts_with("Window") || name.starts_with("global ") ||
         name.starts_with("Object / ") || name.ends_with("GlobalScope");
}

bool ProgramParts::is_native_context(std::uint32_t node) const {
  return graph_.node(node).name().starts_with("system / NativeContext");
}

bool ProgramParts::is_of_runtime_global(const Edge& edge) const {
  constexpr auto names = std::to_array<std::string_view>(
      {"Atomics",     "Bun",       "Deno",        "Intl",           "JSON",     "Math",   "Reflect",
       "WebAssembly", "console",   "crypto",      "customElements", "document", "global", "globalThis",
       "location",    "navigator", "performance", "process",        "self",     "window"});
  if (std::ranges::find(names, edge.name()) != names.end()) return true;
  return graph::is_closure(graph_.node(edge.target())) && !is_of_program(edge.target());
}

bool ProgramParts::is_moar_name(std::string_view name) {
  // Rakudo implements arrays, hashes and promises with these attributes.
  constexpr auto inner = std::to_array<std::string_view>(
      {"$!reified", "$!storage", "$!value", "$!descriptor", "$!todo", "$!future", "$!do", "$!current-iter"});
  const bool is_named = name.size() > 1 && (name[0] == '$' || name[0] == '@' || name[0] == '%');
  return is_named && std::ranges::find(inner, name) == inner.end();
}

}  // namespace heapcheck::analyze
