#include "analyze/way.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "analyze/context_functions.hpp"
#include "analyze/printed_name.hpp"
#include "analyze/program_parts.hpp"
#include "analyze/suspects.hpp"
#include "analyze/totals.hpp"
#include "formats/core/stop.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/source_path.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

constexpr std::size_t most_name_bytes = 60;

/// Names from the source code on the way to a node, innermost first.
class Names {
 public:
  /// A name that repeats the one below it, as in a linked list, is shown only once.
  void add(std::string_view name) {
    std::string shown = core::make_excerpt(name, most_name_bytes);
    if (names_.empty() || names_.back() != shown) names_.push_back(std::move(shown));
  }
  /// Adds a place in an array or collection, which is only shown between two names.
  void add_element() {
    if (!names_.empty() && names_.back() != "[]") names_.emplace_back("[]");
  }
  [[nodiscard]] bool empty() const { return names_.empty(); }

  /// `cache.entries[].value`. In a long list, the middle is left out.
  [[nodiscard]] std::string show() const {
    constexpr std::size_t most = 5;
    std::string text;
    const std::size_t count = names_.size();
    for (std::size_t i = count; i-- > 0;) {
      const bool is_left_out = count > most && i >= most / 2 && i + 1 < count - most / 2;
      if (is_left_out && i != most / 2) continue;
      const std::string_view name = is_left_out ? std::string_view("…") : names_[i];
      text += text.empty() || name == "[]" ? "" : ".";
      text += name;
    }
    return text;
  }

 private:
  std::vector<std::string> names_;
};

/// Describes the ways in one graph.
class Ways {
 public:
  Ways(const Graph& graph, const DominatedNodes& dominated, std::span<const Suspect> suspects)
      : graph_(graph),
        dominated_(dominated),
        parts_(graph),
        contexts_(find_context_functions(graph, suspects)) {}

  void add_to(Suspect& suspect) const {
    const Found found = parts_.is_v8() ? find_in_v8(suspect.path) : find_in_moar(suspect.path);
    suspect.way = found.text;
    if (!parts_.is_v8()) {
      suspect.owner = find_moar_owner(suspect);
      return;
    }
    // The part of the program that waits for a promise is more informative than the holder of the promise.
    const bool is_clear = found.is_program && !graph::is_promise(graph_.node(suspect.nodes[0]));
    const auto inner = is_clear ? std::nullopt : find_inner(suspect);
    suspect.owner = find_owner(suspect, found.is_program || inner);
    // A class that leads to itself is not informative.
    if (inner && graph_.node(*inner).name() != suspect.type) suspect.leads_to = name_with_place(*inner);
  }

 private:
  struct Found {
    std::string text = {};
    bool is_program = false;  ///< whether the program's own code declares it
  };
  const Graph& graph_;
  const DominatedNodes& dominated_;
  ProgramParts parts_;
  std::vector<ContextFunctions> contexts_;

  /// ` (app.js:41)`, or an empty string.
  [[nodiscard]] std::string show_place_after(std::uint32_t node) const {
    return analyze::show_place_after(place_of(graph_, graph_.node(node).place()));
  }
  [[nodiscard]] std::string name_of(std::uint32_t node) const {
    const std::string_view name = graph_.node(node).name();
    return name.empty() ? "<anon>" : core::make_excerpt(name, most_name_bytes);
  }

  /// `startPolling (app.js:41)`. A suspended call is named after its function.
  [[nodiscard]] std::string name_with_place(std::uint32_t node) const {
    const std::uint32_t named = graph::find_suspended(graph_.node(node)).value_or(node);
    return name_of(named) + show_place_after(node);
  }

  /// `startPolling's variable waiting (app.js:41)`.
  [[nodiscard]] Found describe_variable(std::uint32_t context, const std::string& variable) const {
    const ContextFunctions* const functions = functions_of(contexts_, context);
    if (functions == nullptr) return {.text = fmt::format("the variable {}", variable)};
    const auto declaring = functions->declaring;
    const auto user = functions->using_it;
    const std::uint32_t known =
        declaring && graph_.node(*declaring).place() != nullptr ? *declaring : user.value_or(context);
    Found found{.is_program = parts_.is_of_program(known)};
    const std::string used = user && user != declaring
                                 ? fmt::format(", used by {}{}", name_of(*user), show_place_after(*user))
                                 : std::string();
    const std::string_view name = declaring ? graph_.node(*declaring).name() : std::string_view();
    if (!name.empty() && name != "(shared function info)") {
      const std::string place = show_place_after(*declaring);
      found.text = fmt::format("{}'s variable {}{}{}", name_of(*declaring), variable, place, used);
    } else if (functions->is_outermost) {
      const std::string_view file = core::last_parts(parts_.file_of(known), 1);
      found.text = fmt::format("the variable {}{}{}{}", variable, file.empty() ? "" : " of ",
                               file.empty() ? "" : core::make_excerpt(file, most_name_bytes), used);
    } else if (user) {
      found.text = fmt::format("the variable {} of {}{}", variable, name_of(*user), show_place_after(*user));
    } else {
      found.text = fmt::format("the variable {}", variable);
    }
    return found;
  }

  /// The variable of the program nearest to step `last` of the path, such as `, in the variable store of
  /// server.js`.
  [[nodiscard]] std::string find_outer_variable(const std::vector<PathStep>& path, std::size_t last) const {
    Names names;
    for (std::size_t i = last; i > 0; --i) {
      const Edge edge(graph_, *path[i].edge);
      const std::uint32_t source = path[i - 1].node;
      if (parts_.is_variable(edge, source)) {
        names.add(edge.name());
        const Found found = describe_variable(source, names.show());
        if (found.is_program) return ", in " + found.text;
        names = {};  // a variable of the runtime is not informative
        continue;
      }
      add_name(edge, names);
    }
    return {};
  }

  static void add_name(const Edge& edge, Names& names) {
    if (ProgramParts::is_property(edge))
      names.add(edge.name());
    else if (edge.kind().name == "element")
      names.add_element();
  }
  /// Whether the step comes after a native context, which refers to the global object of its page. A page
  /// that was left may be reached only in this way.
  [[nodiscard]] bool is_from_native_context(const std::vector<PathStep>& path, std::size_t step) const {
    return step > 0 && parts_.is_native_context(path[step - 1].node);
  }

  /// Goes up the path to the first node that a person can find in the source code.
  [[nodiscard]] Found find_in_v8(const std::vector<PathStep>& path) const {
    Names names;
    for (std::size_t i = path.size(); i-- > 1;) {
      const Edge edge(graph_, *path[i].edge);
      const std::uint32_t source = path[i - 1].node;
      if (parts_.is_variable(edge, source)) {
        names.add(edge.name());
        return describe_variable(source, names.show());
      }
      if (parts_.is_from_call(edge, source))
        return {.text = fmt::format("{}{}a suspended call of {}{}", names.show(), names.empty() ? "" : " of ",
                                    name_with_place(source), find_outer_variable(path, i - 1)),
                .is_program = true};
      add_name(edge, names);
      if (ProgramParts::is_property(edge) && parts_.is_global(source) &&
          (i <= 3 || is_from_native_context(path, i - 1)))
        return {.text = "the global variable " + names.show(),
                .is_program = !parts_.is_of_runtime_global(edge)};
      const bool is_anchor = !names.empty() &&
                             (ProgramParts::is_property(edge) || edge.kind().name == "element") &&
                             parts_.is_of_program(source) && !graph::is_context(graph_.node(source));
      if (is_anchor)
        return {.text = fmt::format("{}'s property {}{}{}", name_of(source), names.show(),
                                    show_place_after(source), find_outer_variable(path, i - 1)),
                .is_program = true};
    }
    return {};
  }

  /// The part of the program to which most of the first nodes of a suspect refer, or which they dominate
  /// first.
  [[nodiscard]] std::optional<std::uint32_t> find_inner(const Suspect& suspect) const {
    constexpr std::size_t most_nodes = 20;
    const std::size_t count = std::min(suspect.nodes.size(), most_nodes);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, std::uint32_t>> places;
    std::size_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto inner = parts_.find_inner(suspect.nodes[i], dominated_);
      if (!inner) continue;
      const SourcePlace& place = *graph_.node(*inner).place();
      ++places.try_emplace({place.file, place.line}, 0, *inner).first->second.first;
      ++total;
    }
    if (total * 2 < count || places.empty()) return std::nullopt;
    return std::ranges::max_element(places, {}, [](const auto& row) { return row.second.first; })
        ->second.second;
  }

  [[nodiscard]] SuspectOwner find_owner(const Suspect& suspect, bool is_program) const {
    const Node first = graph_.node(suspect.nodes[0]);
    const std::string_view kind = first.kind().name;
    const bool is_part_of_v8 =
        kind == "code" || kind == "hidden" || kind == "object shape" || kind == "synthetic";
    if (is_part_of_v8 && !graph::is_promise(first)) return SuspectOwner::runtime;
    // Files without places do not show which nodes belong to the program.
    const bool is_known = parts_.has_absolute() || kind == "array";
    return is_program || !is_known ? SuspectOwner::program : SuspectOwner::runtime;
  }

  /// MoarVM names the references of frames after variables, and those of objects after attributes.
  [[nodiscard]] Found find_in_moar(const std::vector<PathStep>& path) const {
    for (std::size_t i = path.size(); i-- > 1;) {
      const Edge edge(graph_, *path[i].edge);
      const std::string_view name = edge.name();
      if (!ProgramParts::is_moar_name(name)) continue;
      const std::uint32_t source = path[i - 1].node;
      const std::string shown = core::make_excerpt(name, most_name_bytes);
      const bool is_attribute = name[1] == '!' || name[1] == '.';
      const std::string_view what = is_attribute ? "attribute" : "variable";
      return {.text = fmt::format("{}'s {} {}{}", name_of(source), what, shown, show_place_after(source)),
              .is_program = true};
    }
    return {};
  }

  /// Whether a type belongs to MoarVM, NQP or Rakudo's compiler.
  static bool is_compiler_type(std::string_view type) {
    constexpr auto starts = std::to_array<std::string_view>(
        {"QAST::", "QRegex::", "MAST::", "HLL::", "NQP", "Perl6::", "Spesh", "StaticFrameSpesh", "SCRef",
         "NFAType", "BOOTCompUnit", "BOOTStaticFrame", "BOOTCode", "Braid"});
    constexpr auto neutral =
        std::to_array<std::string_view>({"NQPArray"});  // Rakudo's own arrays use it, too
    if (std::ranges::find(neutral, type) != neutral.end()) return false;
    return std::ranges::any_of(starts, [type](std::string_view start) { return type.starts_with(start); });
  }

  [[nodiscard]] SuspectOwner find_moar_owner(const Suspect& suspect) const {
    if (is_compiler_type(suspect.type)) return SuspectOwner::runtime;
    if (suspect.holder && is_compiler_type(graph_.node(*suspect.holder).name())) return SuspectOwner::runtime;
    const bool holds_compiler = !suspect.contents.empty() && is_compiler_type(suspect.contents[0]);
    const bool is_below = std::ranges::any_of(suspect.path, [this](const PathStep& step) {
      const std::string_view name = graph_.node(step.node).name();
      return name.starts_with("QAST::") || name.starts_with("QRegex::") || name.starts_with("Perl6::");
    });
    return holds_compiler || is_below ? SuspectOwner::runtime : SuspectOwner::program;
  }
};

}  // namespace

void add_ways(const Graph& graph, const DominatedNodes& dominated, std::vector<Suspect>& suspects) {
  core::check_stop();
  const Ways ways(graph, dominated, suspects);
  for (Suspect& suspect : suspects) ways.add_to(suspect);
}

}  // namespace heapcheck::analyze
