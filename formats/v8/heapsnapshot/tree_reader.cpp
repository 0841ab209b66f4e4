#include "formats/v8/heapsnapshot/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/v8/heapsnapshot/faults.hpp"

namespace heapcheck::v8::heapsnapshot {
namespace {

using core::JsonToken;

constexpr std::uint64_t node_memory = 5 * sizeof(std::uint64_t) + sizeof(std::uint32_t);

/// The column for each position in a row, and the position of the list of children.
struct Row {
  std::vector<TreeColumn> columns;  ///< null if the field is unknown
  std::size_t children = static_cast<std::size_t>(-1);
};

Row make_row(const Schema& schema) {
  Row row;
  const auto add = [&row](std::string_view name) {
    const auto field = static_cast<std::size_t>(std::ranges::find(tree_fields, name) - tree_fields.begin());
    if (name == tree_fields.back()) row.children = row.columns.size();
    row.columns.push_back(field < tree_columns.size() ? tree_columns[field] : nullptr);
  };
  const auto& names = schema.fields[index_of(Section::trace_tree)];
  if (names) std::ranges::for_each(*names, add);
  if (!names) std::ranges::for_each(tree_fields, add);
  return row;
}

class TreeReader {
 public:
  TreeReader(Context& context, const Schema& schema) : context_(&context), row_(make_row(schema)) {
    tree_.extent = Extent::cut;
  }

  TraceTree read() {
    const std::uint64_t offset = context_->json.span().offset;
    const std::size_t outside = context_->json.depth() - 1;
    while (context_->json.depth() > outside && step()) {
    }
    if (is_wrong_) {
      while (context_->goes_on() && context_->json.depth() > outside) context_->json.skip_rest();
    }
    if (context_->is_at_array_end() && !is_wrong_) {
      tree_.extent = Extent::whole;
      tree_.whole_rows = tree_.id.size();
    }
    tree_.span = {offset, context_->json.span().end() - offset};
    return std::move(tree_);
  }

 private:
  /// Reads one token. Returns false if the token is an error.
  bool step() {
    const JsonToken token = context_->json.next();
    if (token == JsonToken::number) return take_number();
    if (token == JsonToken::array_begin) return open();
    if (token == JsonToken::array_end) return close();
    return token != JsonToken::error && fail("an integer or a list of children");
  }

  bool take_number() {
    const auto value = context_->json.as_unsigned();
    if (place_ == row_.children) return fail("a list of children");
    if (!value || place_ >= row_.columns.size()) return fail("an integer in a column that `meta` names");
    if (place_ == 0 && !begin_node()) return false;
    if (const TreeColumn column = row_.columns[place_]) (tree_.*column)[node_] = *value;
    next_place();
    return true;
  }

  bool begin_node() {
    if (tree_.id.size() >= TraceTree::no_parent) return false;
    for (const TreeColumn column : tree_columns) (tree_.*column).push_back(0);
    tree_.parent.push_back(parent_);
    tree_.offsets.push_back(context_->json.span().offset);
    node_ = static_cast<std::uint32_t>(tree_.id.size() - 1);
    return context_->take_memory(node_memory, tree_.offsets.back(), "/trace_tree");
  }

  bool open() {
    if (place_ != row_.children) return fail("an integer");
    if (place_ == 0 && !begin_node()) return false;
    if (place_ + 1 == row_.columns.size()) tree_.whole_rows = tree_.id.size();
    parent_ = node_;
    place_ = 0;
    return true;
  }

  bool close() {
    if (place_ != 0) return fail("the rest of the row");
    if (parent_ == TraceTree::no_parent) return true;
    node_ = parent_;
    parent_ = tree_.parent[node_];
    place_ = row_.children;
    next_place();
    return true;
  }

  void next_place() { place_ = place_ + 1 == row_.columns.size() ? 0 : place_ + 1; }

  bool fail(std::string_view expected) {
    is_wrong_ = true;
    const bool is_end = context_->json.token() == JsonToken::array_end;
    const std::string found = is_end ? "the end of the list" : describe_value(context_->json);
    const std::string name = fmt::format("row {}", tree_.id.empty() ? 0 : tree_.id.size() - 1);
    context_->report(rules::trace_tree_shape, context_->json.span(), "/trace_tree",
                     fmt::format("{} has {} in column {}, expected {}", name, found, place_, expected));
    return false;
  }

  Context* context_;
  Row row_;
  TraceTree tree_;
  std::uint32_t parent_ = TraceTree::no_parent;
  std::uint32_t node_ = TraceTree::no_parent;  // the row to which the numbers belong
  std::size_t place_ = 0;
  bool is_wrong_ = false;
};

}  // namespace

TraceTree read_trace_tree(Context& context, const Schema& schema) {
  return TreeReader(context, schema).read();
}

}  // namespace heapcheck::v8::heapsnapshot
