#include "analyze/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "analyze/dominator_tree.hpp"
#include "analyze/suspects.hpp"
#include "formats/core/text/source_path.hpp"
#include "graph/follow.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The number of characters at the beginning of `text` to which `is_part` applies.
template <class IsPart>
std::size_t count_front(std::string_view text, IsPart is_part) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin());
}

/// Appends a word, in which `#` replaces numbers of `least_digits` digits or more.
void append_word(std::string_view word, std::size_t least_digits, std::string& out) {
  while (!word.empty()) {
    const std::size_t digits = count_front(word, is_digit);
    const std::size_t count = std::max<std::size_t>(digits, 1);
    out += digits >= least_digits ? std::string_view("#") : word.substr(0, count);
    word.remove_prefix(count);
  }
}

/// Replaces hexadecimal words of eight characters or more that contain a digit, and numbers of `least_digits`
/// digits or more, with `#`. Leaves out the text after the first 200 bytes.
std::string replace_numbers(std::string_view text, std::size_t least_digits) {
  constexpr std::size_t least_hash = 8;
  constexpr std::size_t most_bytes = 200;
  std::string out;
  for (text = text.substr(0, most_bytes); !text.empty();) {
    const std::string_view word = text.substr(0, std::max<std::size_t>(count_front(text, is_word), 1));
    const bool is_hash =
        word.size() >= least_hash && std::ranges::all_of(word, is_hex) && std::ranges::any_of(word, is_digit);
    if (is_hash) {
      out += '#';
    } else {
      append_word(word, least_digits, out);
    }
    text.remove_prefix(word.size());
  }
  return out;
}

std::uint64_t pair_of(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32U | low; }

/// The element of an array or collection.
constexpr std::string_view element = "[]";

/// Whether an edge leads to an element: it has a number, or belongs to the table of a collection.
bool leads_to_element(const Graph& graph, const Edge& edge, std::uint32_t source) {
  if (edge.kind().name == "element") return true;
  const bool is_numbered = general_name_of(edge) == element;
  return is_numbered && (edge.kind().name == "property" || graph.node(source).kind().name == "array");
}

}  // namespace

std::string generalise_name(std::string_view name) {
  // V8 appends the address of a page, or the id of a scope.
  name = name.substr(0, name.find(" / http"));
  name = name.substr(0, name.find(" @"));
  const std::size_t tag = name.find('<');
  if (tag != std::string_view::npos && name.ends_with('>') && name.find(' ', tag) != std::string_view::npos)
    return replace_numbers(name.substr(0, name.find(' ', tag)), 4) + '>';
  return replace_numbers(name, 4);
}

std::string generalise_key(std::string_view name) { return replace_numbers(name, 1); }

std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3;
  }
  constexpr unsigned bits = 48;
  return fmt::format("{:012x}", (hash >> bits) ^ (hash & ((std::uint64_t{1} << bits) - 1)));
}

bool is_internal(const Graph& graph, std::uint32_t node) {
  if (graph.rules != RetentionRules::devtools) return false;
  const Node at = graph.node(node);
  const std::string_view kind = at.kind().name;
  return kind == "array" || kind == "hidden" || kind == "code" || kind == "synthetic" ||
         kind == "object shape" || at.name().starts_with("system / ");
}

void TraceContexts::add_step(std::optional<std::uint32_t> before, std::uint32_t node) {
  if (!graph::is_context(graph_.node(node))) return;
  const bool is_used = before && graph::is_closure(graph_.node(*before));
  uses_.push_back({node, is_used ? before : std::nullopt});
}

void TraceContexts::add_leak(std::uint32_t node) {
  const Node leak = graph_.node(node);
  if (!graph::is_closure(leak) || !leak.name().empty()) return;
  const auto shared = graph::follow(leak, "shared");
  const auto context = graph::follow(leak, "context");
  if (!shared || !context || !graph::is_context(graph_.node(*context))) return;
  if (surrounding_.try_emplace(*shared, *context).second) uses_.push_back({*context, node});
}

TraceSteps::TraceSteps(const Graph& graph, const ProgramParts& parts, const Dominators& dominators,
                       const TraceContexts& contexts)
    : graph_(graph),
      parts_(parts),
      dominators_(dominators),
      known_(contexts),
      contexts_(find_context_functions(graph, contexts.uses_)),
      steps_(1),
      texts_(1) {
  numbers_.emplace("", 0);
}

TraceSteps::Followed TraceSteps::follow(std::uint32_t steps, const TraceEdge& at) {
  return parts_.is_v8() ? follow_v8(steps, at) : follow_moar(steps, at);
}

TraceSteps::Followed TraceSteps::follow_moar(std::uint32_t steps, const TraceEdge& at) {
  const Edge edge(graph_, at.edge);
  if (!ProgramParts::is_moar_name(edge.name())) return {.steps = steps};
  return {.steps =
              add(none, number_of(with_type(describe_property(at.source, edge.name()), edge.target())), true),
          .is_named = true};
}

TraceSteps::Followed TraceSteps::follow_v8(std::uint32_t steps, const TraceEdge& at) {
  const Edge edge(graph_, at.edge);
  if (parts_.is_variable(edge, at.source)) return follow_variable(edge, at.source);
  const bool is_property = ProgramParts::is_property(edge);
  if (is_property && parts_.is_global(at.source) &&
      (at.depth <= 2 || (at.before && parts_.is_native_context(*at.before)))) {
    if (parts_.is_of_runtime_global(edge)) return {};
    return {
        add(none, number_of(with_type(fmt::format("global {}", generalise_key(edge.name())), edge.target())),
            true),
        true};
  }
  if (is_property && parts_.is_of_program(at.source) && !graph::is_context(graph_.node(at.source)))
    return follow_property(edge, at.source);
  if (parts_.is_from_call(edge, at.source))
    return {.steps = add(none, number_of(describe_call(at.source)), true)};
  if (steps == none) return {};
  // The runtime names the parts of its own objects differently in each version.
  const bool is_runtimes = !parts_.file_of(at.source).empty() && !parts_.is_of_program(at.source);
  if (is_inside_runtime(steps) || is_runtimes) return {.steps = enter_runtime(steps)};
  const bool is_element = leads_to_element(graph_, edge, at.source);
  if (!is_element && !is_property) return {.steps = steps};
  if (is_internal(graph_, edge.target())) {
    if (is_element) return {.steps = steps};
  }
  const std::uint64_t name =
      is_element ? UINT64_MAX : std::uint64_t{graph_.edge_name[static_cast<std::size_t>(edge.index())]};
  const auto [text, is_new] = plain_.try_emplace({name, type_of(edge.target())}, 0);
  if (is_new)
    text->second = number_of(
        with_type(is_element ? std::string(element) : "." + generalise_key(edge.name()), edge.target()));
  return {.steps = add_folded(steps, text->second), .is_named = true};
}

TraceSteps::Followed TraceSteps::follow_variable(const Edge& edge, std::uint32_t context) {
  const auto text = describe_variable(context, edge.name());
  if (!text) return {};  // a variable of the runtime is not informative
  const ContextFunctions* const functions = functions_of(contexts_, context);
  const std::uint32_t own = number_of(*text);
  const bool is_outermost = functions == nullptr || functions->is_outermost;
  const std::uint32_t outer = is_outermost ? none : find_outer(context, own);
  return {add(outer, number_of(with_type(*text, edge.target())), true), true};
}

TraceSteps::Followed TraceSteps::follow_property(const Edge& edge, std::uint32_t source) {
  const std::string text = describe_property(source, edge.name());
  // There is usually only one function or class with a given name, but there are many objects of a type.
  const std::uint32_t outer =
      graph::is_closure(graph_.node(source)) ? none : find_outer(source, number_of(text));
  return {add(outer, number_of(with_type(text, edge.target())), true), true};
}

/// `call of followRequest (server.js)`, for a suspended call.
std::string TraceSteps::describe_call(std::uint32_t call) const {
  const auto function = graph::find_suspended(graph_.node(call));
  const std::string_view name = function ? graph_.node(*function).name() : std::string_view();
  return fmt::format("call of {}{}", name.empty() ? "<anon>" : generalise_name(name), file_after(call));
}

/// The variable or property of the program that holds an object or context, if nothing else does: one between
/// two of its dominators. `own` is the text of the step after it, which does not hold itself, as in a list.
std::uint32_t TraceSteps::find_outer(std::uint32_t node, std::uint32_t own) {
  constexpr std::size_t most_dominators = 16;
  if (const auto known = outer_.find(node); known != outer_.end()) return known->second;
  std::uint32_t found = none;
  std::uint32_t at = node;
  for (std::size_t i = 0; i < most_dominators; ++i) {
    const std::uint32_t holder = dominators_.dominator[at];
    if (holder == Dominators::none || holder == 0) break;
    if (const auto text = describe_edge_to(holder, at)) {
      const std::uint32_t number = number_of(*text);
      if (number != own) {
        found = add(none, number, true);
        break;
      }
      if (const auto known = outer_.find(holder); known != outer_.end()) {
        found = known->second;
        break;
      }
    }
    at = holder;
  }
  return outer_[node] = found;
}

/// The variable or property with which `holder` refers to `node`, if it belongs to the program.
std::optional<std::string> TraceSteps::describe_edge_to(std::uint32_t holder, std::uint32_t node) const {
  constexpr std::uint64_t most_edges = 256;
  const bool has_variables = graph::is_context(graph_.node(holder));
  if (!has_variables && !parts_.is_of_program(holder)) return std::nullopt;
  const std::uint64_t first = graph_.first_edge[holder];
  const std::uint64_t end = std::min(graph_.first_edge[std::size_t{holder} + 1], first + most_edges);
  for (std::uint64_t i = first; i < end; ++i) {
    const Edge edge(graph_, i);
    if (edge.target() != node || edge.kind().is_weak) continue;
    if (has_variables && parts_.is_variable(edge, holder)) return describe_variable(holder, edge.name());
    if (!has_variables && ProgramParts::is_property(edge)) return describe_property(holder, edge.name());
  }
  return std::nullopt;
}

/// `variable store of server.js`; nothing if the variable is the runtime's.
std::optional<std::string> TraceSteps::describe_variable(std::uint32_t context, std::string_view name) const {
  const ContextFunctions* const functions = functions_of(contexts_, context);
  const auto declaring = functions == nullptr ? std::nullopt : functions->declaring;
  const auto user = functions == nullptr ? std::nullopt : functions->using_it;
  const bool has_place = declaring && graph_.node(*declaring).place() != nullptr;
  const std::uint32_t known = has_place ? *declaring : user.value_or(context);
  // Files without places do not show which nodes belong to the program.
  if (parts_.has_absolute() ? !parts_.is_of_program(known)
                            : !parts_.file_of(known).empty() && !parts_.is_of_program(known))
    return std::nullopt;
  const std::string_view function = declaring ? graph_.node(*declaring).name() : std::string_view();
  const bool is_named = !function.empty() && function != "(shared function info)";
  return fmt::format("variable {}{}{}", generalise_name(name),
                     is_named ? " of " + generalise_name(function) : "", file_after(known));
}

std::string TraceSteps::describe_property(std::uint32_t source, std::string_view name) const {
  const Node node = graph_.node(source);
  return fmt::format("{} of {}{}", parts_.is_v8() ? generalise_key(name) : generalise_name(name),
                     generalise_name(find_group_name(node)), file_after(source));
}

/// ` (store.js)`, or an empty string.
std::string TraceSteps::file_after(std::uint32_t node) const {
  std::string_view file = parts_.file_of(node);
  file = file.substr(0, file.find_first_of("?#"));
  return file.empty() ? std::string() : fmt::format(" ({})", generalise_name(core::last_parts(file, 1)));
}

/// `function onTick (server.js)`. A function without a name is named after the function around it.
std::string TraceSteps::describe_function(std::uint32_t closure) const {
  const Node node = graph_.node(closure);
  const std::string_view name = node.name();
  std::string around;
  const auto shared = name.empty() ? graph::follow(node, "shared") : std::nullopt;
  const auto context = shared ? known_.surrounding_.find(*shared) : known_.surrounding_.end();
  if (context != known_.surrounding_.end()) {
    const ContextFunctions* const functions = functions_of(contexts_, context->second);
    const auto declaring = functions == nullptr ? std::nullopt : functions->declaring;
    const std::string_view outer = declaring ? graph_.node(*declaring).name() : std::string_view();
    if (!outer.empty() && outer != "(shared function info)") around = " in " + generalise_name(outer);
  }
  return fmt::format("function {}{}{}", name.empty() ? "<anon>" : generalise_name(name), around,
                     parts_.is_of_program(closure) ? file_after(closure) : "");
}

std::string TraceSteps::make_type(std::uint32_t node) const {
  const Node at = graph_.node(node);
  if (at.kind().group == NodeGroup::string) return "(string)";
  if (is_internal(graph_, node)) return {};
  if (graph::is_closure(at)) return describe_function(node);
  const bool has_file = parts_.is_v8() ? parts_.is_of_program(node) : at.kind().group == NodeGroup::frame;
  return generalise_name(at.type_name()) + (has_file ? file_after(node) : "");
}

std::uint32_t TraceSteps::type_of(std::uint32_t node) {
  // Objects of a type share its name. Those of a class and functions also have files.
  if (graph::is_closure(graph_.node(node))) {
    const auto [text, is_new] = functions_.try_emplace(node, 0);
    if (is_new) text->second = number_of(make_type(node));
    return text->second;
  }
  if (parts_.is_of_program(node) || !parts_.is_v8()) return number_of(make_type(node));
  // Strings share a type, whatever their contents.
  const bool has_contents = graph_.node(node).kind().group == NodeGroup::string;
  const std::uint32_t name = has_contents ? Graph::no_text : graph_.node_name[node];
  const auto [type, is_new] = types_.try_emplace(pair_of(graph_.node_kind[node], name), 0);
  if (is_new) type->second = number_of(make_type(node));
  return type->second;
}

std::string TraceSteps::with_type(std::string_view text, std::uint32_t node) {
  const std::string& type = texts_[type_of(node)];
  return type.empty() ? std::string(text) : fmt::format("{}: {}", text, type);
}

std::uint32_t TraceSteps::number_of(std::string text) {
  const auto [number, is_new] =
      numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(number->first);
  return number->second;
}

std::uint32_t TraceSteps::add(std::uint32_t steps, std::uint32_t text, bool is_anchor) {
  const auto [child, is_new] =
      children_.try_emplace(pair_of(steps, text), static_cast<std::uint32_t>(steps_.size()));
  if (is_new)
    steps_.push_back(
        {.parent = steps, .text = text, .depth = steps_[steps].depth + 1, .is_anchor = is_anchor});
  return child->second;
}

/// A step that occurs again leads back to its first occurrence, as in a list or a tree.
std::uint32_t TraceSteps::add_folded(std::uint32_t steps, std::uint32_t text) {
  constexpr std::uint32_t most_steps = 24;
  for (std::uint32_t at = steps; at != none && !steps_[at].is_anchor; at = steps_[at].parent) {
    if (steps_[at].text == text) return at;
  }
  return steps_[steps].depth < most_steps ? add(steps, text) : steps;
}

std::uint32_t TraceSteps::enter_runtime(std::uint32_t steps) {
  return is_inside_runtime(steps) ? steps : add(steps, 0);
}

bool TraceSteps::is_inside_runtime(std::uint32_t steps) const {
  return steps != none && steps_[steps].text == 0;
}

std::uint32_t TraceSteps::end(const Followed& followed, std::uint32_t node,
                              std::optional<std::uint32_t> inner) {
  if (followed.is_named) return followed.steps;
  const std::uint32_t type = type_of(node);
  const auto [text, is_new] = elements_.try_emplace(type, 0);
  if (is_new) {
    const std::string& name = texts_[type];
    text->second = number_of(fmt::format("{}: {}", element, name.empty() ? "(internal)" : name));
  }
  const std::uint32_t steps = add_folded(followed.steps, text->second);
  if (followed.steps != none || !inner || *inner == node) return steps;
  return add(steps, number_of("inside: " + texts_[type_of(*inner)]));
}

std::string TraceSteps::text_of(std::uint32_t steps) const {
  std::vector<std::string_view> lines;
  for (std::uint32_t at = steps; at != none; at = steps_[at].parent) {
    if (steps_[at].text != 0) lines.push_back(texts_[steps_[at].text]);
  }
  std::string text = "leak 1";  // the version of these rules
  for (std::size_t i = lines.size(); i-- > 0;) text.append("\n").append(lines[i]);
  return text;
}

}  // namespace heapcheck::analyze
