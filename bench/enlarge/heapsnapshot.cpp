#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/enlarge/enlarge.hpp"
#include "bench/enlarge/fresh_names.hpp"
#include "bench/enlarge/growth.hpp"
#include "formats/model.hpp"
#include "formats/open.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"

namespace heapcheck::bench {
namespace {

using namespace v8::heapsnapshot;

constexpr std::uint64_t unnumbered = UINT64_MAX;

/// The numbers of a section, row by row, and the columns that matter.
struct Rows {
  Rows(const Snapshot& snapshot, Section section) : width(snapshot.table(section).columns.size()) {
    const Table& table = snapshot.table(section);
    values.resize(table.row_count() * width);
    for (std::size_t column = 0; column < width; ++column)
      for_each_value(table.columns[column],
                     [&](std::uint64_t row, std::uint64_t value) { values[row * width + column] = value; });
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t row, std::size_t column) const {
    return values[row * width + column];
  }
  [[nodiscard]] std::uint64_t count() const { return width == 0 ? 0 : values.size() / width; }

  std::size_t width;
  std::vector<std::uint64_t> values;
};

/// Appends rows to a section of a new snapshot.
class RowWriter {
 public:
  RowWriter(Table& table, std::size_t width) : table_(&table), width_(width) {
    table.reset(width);
    table.extent = Extent::whole;
  }
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  ~RowWriter() {
    if (!values_.empty()) table_->append_chunk(values_);
    table_->value_count = table_->row_count() * width_;
  }
  /// Returns the added row, which stays there until the next call.
  std::uint64_t* add(const std::uint64_t* row) {
    if (values_.size() == chunk_rows * width_) {
      table_->append_chunk(values_);
      values_.clear();
    }
    values_.insert(values_.end(), row, row + width_);
    return values_.data() + (values_.size() - width_);
  }

 private:
  Table* table_;
  std::size_t width_;
  std::vector<std::uint64_t> values_;
};

struct Fields {
  explicit Fields(const Schema& schema)
      : type(find(schema, Section::nodes, "type")),
        name(find(schema, Section::nodes, "name")),
        id(find(schema, Section::nodes, "id")),
        edge_count(find(schema, Section::nodes, "edge_count")),
        trace(schema.find_field(Section::nodes, "trace_node_id")),
        edge_type(find(schema, Section::edges, "type")),
        edge_name(find(schema, Section::edges, "name_or_index")),
        target(find(schema, Section::edges, "to_node")) {}

  std::size_t type, name, id, edge_count;
  std::optional<std::size_t> trace;
  std::size_t edge_type, edge_name, target;

 private:
  static std::size_t find(const Schema& schema, Section section, std::string_view field) {
    return schema.find_field(section, field).value_or(0);
  }
};

class Enlarger {
 public:
  explicit Enlarger(Snapshot& old)
      : old_(&old),
        at_(old.schema),
        nodes_(old, Section::nodes),
        edges_(old, Section::edges),
        node_types_(*old.schema.find_type_names(Section::nodes, "type")),
        edge_types_(*old.schema.find_type_names(Section::edges, "type")),
        names_(random_) {
    make_seed();
  }

  [[nodiscard]] std::uint64_t node_count() const { return nodes_.count(); }

  /// Makes all sections except the strings, and then the strings.
  Snapshot make(std::uint64_t count) {
    grown_ = grow(seed_, count, random_);
    Snapshot made;
    made.header = old_->header;
    made.schema = old_->schema;
    made.has_record_lines = old_->has_record_lines;
    number_of_.assign(old_->strings.table.count(), unnumbered);
    use(made, 0);
    write_nodes(made);
    write_edges(made);
    write_locations(made);
    if (has_traces()) write_traces(made);
    for (std::size_t i = 0; i < section_count; ++i) {
      const auto section = static_cast<Section>(i);
      if (old_->has(section) && !made.has(section)) made.set_present(section);
    }
    made.header.node_count->value = grown_.node_count();
    made.header.edge_count->value = grown_.target.size();
    if (made.header.trace_function_count)
      made.header.trace_function_count->value = made.table(Section::trace_function_infos).row_count();
    return made;
  }

 private:
  [[nodiscard]] std::string_view node_type(std::uint64_t node) const {
    return node_types_[nodes_.at(node, at_.type)];
  }
  [[nodiscard]] std::string_view edge_type(std::uint64_t edge) const {
    return edge_types_[edges_.at(edge, at_.edge_type)];
  }
  [[nodiscard]] bool has_index(std::uint64_t edge) const {
    return edge_type(edge) == "element" || edge_type(edge) == "hidden";
  }

  void make_seed() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> groups;
    std::uint64_t first = 0;
    for (std::uint32_t node = 0; node < nodes_.count(); ++node) {
      const std::uint64_t degree = nodes_.at(node, at_.edge_count);
      seed_.degree.push_back(static_cast<std::uint32_t>(degree));
      seed_.first.push_back(std::exchange(first, first + degree));
      seed_.order.push_back(node);
      // Objects are named after their constructors. Other names reveal little about the references of a node.
      const std::pair key{nodes_.at(node, at_.type),
                          node_type(node) == "object" ? nodes_.at(node, at_.name) : unnumbered};
      seed_.similar.push_back(
          groups.try_emplace(key, static_cast<std::uint32_t>(groups.size())).first->second);
      seed_.is_single.push_back(node_type(node) == "synthetic");
    }
    for (std::uint64_t edge = 0; edge < edges_.count(); ++edge)
      seed_.target.push_back(static_cast<std::uint32_t>(edges_.at(edge, at_.target) / nodes_.width));
    mark_singles(seed_);
    mark_maps_and_hub();
    uses_.assign(old_->strings.table.count(), 0);
    for (std::uint64_t node = 0; node < nodes_.count(); ++node) ++uses_[nodes_.at(node, at_.name)];
    for (std::uint64_t i = 0; i < uses_.size(); ++i) names_.add(old_->strings.table[i]);
  }

  /// Marks maps, each of which describes all objects of a shape, and the hub, which is the node with the most
  /// elements.
  void mark_maps_and_hub() {
    std::uint64_t most = 0;
    for (std::uint32_t node = 0; node < nodes_.count(); ++node) {
      std::uint64_t elements = 0;
      for (std::uint64_t edge = seed_.first[node]; edge < seed_.first[node] + seed_.degree[node]; ++edge) {
        if (edge_type(edge) == "element") ++elements;
        if (edge_type(edge) == "internal" && old_->strings.table[edges_.at(edge, at_.edge_name)] == "map")
          seed_.is_single[seed_.target[edge]] = true;
      }
      if (elements <= most || node_type(node) == "synthetic") continue;
      most = elements;
      seed_.hub = node;
    }
  }

  /// The number of a seed's string in the new snapshot. Adds the string when it is first used.
  std::uint64_t use(Snapshot& made, std::uint64_t string) {
    if (number_of_[string] == unnumbered) number_of_[string] = add(made, old_->strings.table[string]);
    return number_of_[string];
  }
  static std::uint64_t add(Snapshot& made, std::string_view text) {
    StringTable& table = made.strings.table;
    made.strings.extent = Extent::whole;
    table.begin_string(0) += text;
    table.end_string();
    return table.count() - 1;
  }

  /// The content of a string that occurs only once in the seed is different in each new node.
  std::uint64_t name_node(Snapshot& made, std::uint32_t node) {
    const std::uint64_t old = nodes_.at(grown_.origin[node], at_.name);
    const bool is_new = node >= node_count() && uses_[old] == 1 && node_type(grown_.origin[node]) == "string";
    return is_new ? add(made, names_.make(old_->strings.table[old])) : use(made, old);
  }

  void write_nodes(Snapshot& made) {
    constexpr std::uint64_t longest_gap = 1000;
    RowWriter rows(made.table(Section::nodes), nodes_.width);
    std::uint64_t last_id = 0;
    for (std::uint64_t node = 0; node < node_count(); ++node)
      last_id = std::max(last_id, nodes_.at(node, at_.id) | 1);
    for (std::uint32_t node = 0; node < grown_.node_count(); ++node) {
      const std::uint32_t origin = grown_.origin[node];
      std::uint64_t* const row = rows.add(&nodes_.values[origin * nodes_.width]);
      if (node >= node_count()) {
        const std::uint64_t before = nodes_.at(origin == 0 ? 0 : origin - 1, at_.id);
        const std::uint64_t gap = row[at_.id] > before ? (row[at_.id] - before) & ~std::uint64_t{1} : 0;
        row[at_.id] = last_id += gap == 0 || gap > longest_gap ? 2 : gap;
      }
      row[at_.edge_count] = grown_.degree(seed_, node);
      row[at_.name] = name_node(made, node);
      if (at_.trace && !has_traces()) row[*at_.trace] = 0;
    }
  }

  void write_edges(Snapshot& made) {
    RowWriter rows(made.table(Section::edges), edges_.width);
    std::uint64_t element = edges_.count();  // the row of the hub's last element
    std::uint64_t hub_end = seed_.first[seed_.hub] + seed_.degree[seed_.hub];
    for (std::uint64_t edge = seed_.first[seed_.hub]; edge < hub_end; ++edge)
      if (edge_type(edge) == "element") element = edge;
    for (std::uint32_t node = 0; node < grown_.node_count(); ++node) {
      const auto targets = grown_.targets(seed_, node);
      const std::uint32_t origin = grown_.origin[node];
      for (std::uint64_t i = 0; i < targets.size(); ++i) {
        const bool is_added = i >= seed_.degree[origin];
        const std::uint64_t old = is_added ? element : seed_.first[origin] + i;
        std::uint64_t* const row = rows.add(&edges_.values[old * edges_.width]);
        if (is_added) row[at_.edge_name] += i - seed_.degree[origin] + 1;
        if (!has_index(old)) row[at_.edge_name] = use(made, row[at_.edge_name]);
        row[at_.target] = std::uint64_t{targets[i]} * nodes_.width;
      }
    }
  }

  void write_locations(Snapshot& made) {
    const auto field = old_->schema.find_field(Section::locations, "object_index");
    const Rows old(*old_, Section::locations);
    if (!field || old.count() == 0) return;
    std::vector<std::uint32_t> row_of(node_count(), 0);  // counted from 1
    for (std::uint32_t row = 0; row < old.count(); ++row)
      row_of[old.at(row, *field) / nodes_.width] = row + 1;
    RowWriter rows(made.table(Section::locations), old.width);
    for (std::uint32_t node = 0; node < grown_.node_count(); ++node) {
      const std::uint32_t row = row_of[grown_.origin[node]];
      if (row != 0) rows.add(&old.values[(row - 1) * old.width])[*field] = node * nodes_.width;
    }
  }

  /// Whether the seed is a timeline with allocation stacks. New nodes get the stacks of those that they are
  /// made from.
  [[nodiscard]] bool has_traces() const { return !old_->trace_tree.id.empty(); }

  void write_traces(Snapshot& made) {
    const Rows functions(*old_, Section::trace_function_infos);
    RowWriter rows(made.table(Section::trace_function_infos), functions.width);
    for (std::uint64_t row = 0; row < functions.count(); ++row) {
      std::uint64_t* const values = rows.add(&functions.values[row * functions.width]);
      for (const std::string_view field : {"name", "script_name"}) {
        const auto column = old_->schema.find_field(Section::trace_function_infos, field);
        if (column) values[*column] = use(made, values[*column]);
      }
    }
    made.trace_tree = old_->trace_tree;
    const Rows samples(*old_, Section::samples);
    RowWriter times(made.table(Section::samples), samples.width);
    for (std::uint64_t row = 0; row < samples.count(); ++row) times.add(&samples.values[row * samples.width]);
  }

  Snapshot* old_;
  Fields at_;
  Rows nodes_;
  Rows edges_;
  const std::vector<std::string>& node_types_;
  const std::vector<std::string>& edge_types_;
  Random random_;
  FreshNames names_;
  SeedGraph seed_;
  std::vector<std::uint32_t> uses_;       // by string of the seed: the number of nodes with that name
  std::vector<std::uint64_t> number_of_;  // by string of the seed
  GrownGraph grown_;
};

}  // namespace

Result<void> enlarge_heapsnapshot(formats::OpenedInput& seed, std::uint64_t size, core::ByteSink& out) {
  core::SilentSink sink;
  auto content = formats::read_content(*seed.detection.format, *seed.window, no_limits(), sink);
  auto* const old = std::get_if<Snapshot>(&content.model);
  if (old == nullptr || !old->is_whole || !old->header.node_count || !old->header.edge_count)
    return std::unexpected(Error{ErrorKind::unreadable, "is not an intact snapshot"});
  Enlarger enlarger(*old);
  // Node positions have more digits in a larger snapshot.
  const double bytes_per_node =
      static_cast<double>(seed.window->offset()) / static_cast<double>(enlarger.node_count()) * 1.04;
  return write_snapshot(enlarger.make(static_cast<std::uint64_t>(static_cast<double>(size) / bytes_per_node)),
                        out);
}

}  // namespace heapcheck::bench
