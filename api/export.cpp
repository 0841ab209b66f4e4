#include "heapcheck/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "analyze/answers/rows.hpp"
#include "analyze/dominators.hpp"
#include "analyze/node_stacks.hpp"
#include "api/choose_process.hpp"
#include "api/guard.hpp"
#include "api/output.hpp"
#include "api/state.hpp"
#include "export/form.hpp"
#include "export/profiles/stacks.hpp"
#include "export/tables/table_export.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck {
namespace {

std::unexpected<Error> refuse_export(std::string why) {
  return std::unexpected(Error{ErrorKind::unsupported, std::move(why)});
}

Export make_export(std::vector<std::string> files, exports::Written written) {
  return {.files = std::move(files),
          .amounts = std::move(written.amounts),
          .losses = std::move(written.losses),
          .notes = std::move(written.notes)};
}

/// Creates an output file, which must not be the input.
Result<core::OutputFile> create_file(const Dump::State& input, const std::string& output) {
  if (auto fits = api::check_output(input, output, false); !fits) return std::unexpected(fits.error());
  return api::create_output(input, output, false);
}

/// Writes the snapshots of one dump in a form that can contain only one snapshot per file.
class Exporting {
 public:
  Exporting(const Dump& dump, const exports::Form& form) : state_(&dump.state()), form_(&form) {}

  Result<void> write(const Snapshot& snapshot, const std::string& output) {
    auto file = create_file(*state_, output);
    if (!file) return std::unexpected(file.error());
    auto written =
        form_->write_graph != nullptr ? write_graph(snapshot, *file) : write_stacks(snapshot, *file);
    if (!written) return std::unexpected(written.error());
    if (auto done = file->commit(); !done) return done;
    done_.add(std::move(*written));
    files_.push_back(output);
    return {};
  }

  Export take() { return make_export(std::move(files_), std::move(done_)); }

 private:
  [[nodiscard]] Result<Graph> read_graph(const Snapshot& snapshot) const {
    if (family_of(state_->format) != Family::trace) return snapshot.graph();
    return refuse_export(fmt::format("a Chrome heap dump has no object graph, which {} needs", form_->name));
  }

  [[nodiscard]] Result<exports::Written> write_graph(const Snapshot& snapshot, core::ByteSink& sink) const {
    const auto graph = read_graph(snapshot);
    if (!graph) return std::unexpected(graph.error());
    const analyze::Retention retention = analyze::find_retention(*graph);
    return form_->write_graph({.file = state_->path,
                               .format = state_->format,
                               .snapshot = snapshot.index(),
                               .graph = *graph,
                               .retention = retention},
                              sink);
  }

  [[nodiscard]] Result<exports::Written> write_profile(const Snapshot& snapshot,
                                                       const AllocationProfile& profile,
                                                       bool is_dominator_tree, core::ByteSink& sink) const {
    auto written = form_->write_stacks({.file = state_->path,
                                        .format = state_->format,
                                        .snapshot = snapshot.index(),
                                        .profile = profile,
                                        .is_dominator_tree = is_dominator_tree},
                                       sink);
    if (written && profile.left_out_count != 0)
      written->notes.push_back(fmt::format(
          "{} without a stack {} left out: most were allocated before stacks were recorded",
          core::counted(profile.left_out_count, "node"), profile.left_out_count == 1 ? "is" : "are"));
    return written;
  }

  /// Writes the stacks of a dump or, for a graph whose nodes have no stacks, its dominator tree.
  [[nodiscard]] Result<exports::Written> write_stacks(const Snapshot& snapshot, core::ByteSink& sink) const {
    if (exports::has_stacks(family_of(state_->format))) {
      const auto profile = snapshot.profile();
      if (!profile) return std::unexpected(profile.error());
      return write_profile(snapshot, *profile, false, sink);
    }
    const auto graph = snapshot.graph();
    if (!graph) return std::unexpected(graph.error());
    if (!graph->node_stack.empty()) {
      const auto profile = analyze::make_live_profile(*graph);
      if (!profile) return std::unexpected(profile.error());
      return write_profile(snapshot, *profile, false, sink);
    }
    const AllocationProfile profile =
        exports::profiles::make_profile_of_dominators(*graph, analyze::find_retention(*graph));
    return write_profile(snapshot, profile, true, sink);
  }

  Dump::State* state_;
  const exports::Form* form_;
  exports::Written done_;
  std::vector<std::string> files_;
};

/// Appends the rows of one snapshot to the tables.
Result<void> add_snapshot(const Dump::State& state, const Snapshot& snapshot,
                          exports::tables::TableExport& tables) {
  if (exports::has_stacks(family_of(state.format))) {
    const auto profile = snapshot.profile();
    if (!profile) return std::unexpected(profile.error());
    return tables.add(exports::StacksInput{
        .file = state.path, .format = state.format, .snapshot = snapshot.index(), .profile = *profile});
  }
  const auto graph = snapshot.graph();
  if (!graph) return std::unexpected(graph.error());
  return tables.add(exports::GraphInput{.file = state.path,
                                        .format = state.format,
                                        .snapshot = snapshot.index(),
                                        .graph = *graph,
                                        .retention = analyze::find_retention(*graph)});
}

/// The snapshot to export unless all snapshots are exported.
Result<Snapshot> choose_snapshot(const Dump& dump, const api::ProcessChoice& choice,
                                 const ExportOptions& options) {
  if (!options.snapshot) {
    if (auto last = choice.find_last(dump, options.is_forced)) return *last;
    return refuse_export(explain_lack(dump));
  }
  auto snapshot = dump.snapshot(*options.snapshot);
  if (!snapshot) return snapshot;
  if (auto fits = choice.check(*snapshot); !fits) return std::unexpected(fits.error());
  return snapshot;
}

/// Calls `visit` for each snapshot to export. Returns the number of snapshots left out because they are
/// damaged.
template <class Visit>
Result<std::uint64_t> visit_snapshots(const Dump& dump, const ExportOptions& options, const Visit& visit) {
  const auto choice = api::ProcessChoice::make(dump, options.process);
  if (!choice) return std::unexpected(choice.error());
  if (!options.has_all_snapshots) {
    const auto snapshot = choose_snapshot(dump, *choice, options);
    if (!snapshot) return std::unexpected(snapshot.error());
    if (auto done = visit(*snapshot); !done) return std::unexpected(done.error());
    return 0;
  }
  bool has_any = false;
  std::uint64_t left_out = 0;
  for (const Snapshot& snapshot : dump.snapshots()) {
    if (!choice->accepts(snapshot)) continue;
    if (options.is_forced && !snapshot.is_whole()) {
      ++left_out;
      continue;
    }
    has_any = true;
    if (auto done = visit(snapshot); !done) return std::unexpected(done.error());
  }
  if (!has_any) return refuse_export(explain_lack(dump));
  return left_out;
}

/// Adds the snapshots that are left out to the losses.
Export add_left_out(Export done, std::uint64_t left_out) {
  if (left_out != 0) done.losses.push_back({"snapshots", left_out, "damaged"});
  return done;
}

Result<Export> export_tables(const Dump& dump, const std::string& output, const exports::Form& form,
                             const ExportOptions& options) {
  const Dump::State& state = dump.state();
  auto tables = exports::tables::TableExport::open(
      form, {.family = family_of(state.format),
             .table = options.table,
             .part = {options.part, options.part_count},
             .output = output,
             .create = [&state](const std::string& path) { return create_file(state, path); }});
  if (!tables) return std::unexpected(tables.error());
  auto done = visit_snapshots(
      dump, options, [&](const Snapshot& snapshot) { return add_snapshot(state, snapshot, *tables); });
  if (!done) return std::unexpected(done.error());
  auto exported = tables->finish();
  if (!exported) return std::unexpected(exported.error());
  return add_left_out(make_export(tables->paths(), std::move(*exported)), *done);
}

/// Adds a note such as `snapshot 3 is of Renderer 4711 (dump 0x5)`, because not every form has room for it.
void add_process_note(const Snapshot& snapshot, std::vector<std::string>& notes) {
  const DumpProcess& process = snapshot.process();
  if (process.name.empty()) return;
  notes.push_back(fmt::format("snapshot {} is of {} (dump {})", snapshot.index(),
                              analyze::answers::show_process(process), core::make_excerpt(process.dump)));
}

Result<Export> export_checked(const Dump& dump, const std::string& output, ExportForm form,
                              const ExportOptions& options) {
  const exports::Form& row = exports::row_of(form);
  if (row.has_tables()) return export_tables(dump, output, row, options);
  Exporting exporting(dump, row);
  std::vector<std::string> notes;
  auto done = visit_snapshots(dump, options, [&](const Snapshot& snapshot) {
    add_process_note(snapshot, notes);
    const bool is_numbered = options.has_all_snapshots && output != "-";
    return exporting.write(
        snapshot, is_numbered ? exports::name_part(output, fmt::to_string(snapshot.index())) : output);
  });
  if (!done) return std::unexpected(done.error());
  Export exported = exporting.take();
  exported.notes.insert(exported.notes.end(), std::make_move_iterator(notes.begin()),
                        std::make_move_iterator(notes.end()));
  return add_left_out(std::move(exported), *done);
}

}  // namespace

std::string_view name_of(ExportForm form) { return exports::row_of(form).name; }

std::string_view manual_of(ExportForm form) { return exports::row_of(form).manual; }

bool is_text(ExportForm form) { return exports::row_of(form).is_text; }

bool has_tables(ExportForm form) { return exports::row_of(form).has_tables(); }

std::vector<std::string_view> all_export_tables() { return exports::tables::all_table_names(); }

std::optional<ExportForm> find_export_form(std::string_view name) {
  const auto forms = exports::all_forms();
  const auto found = std::ranges::find(forms, name, &exports::Form::name);
  if (found == forms.end()) return std::nullopt;
  return found->form;
}

std::vector<ExportForm> all_export_forms() {
  std::vector<ExportForm> forms;
  for (const exports::Form& form : exports::all_forms()) forms.push_back(form.form);
  return forms;
}

Result<Export> export_dump(const Dump& dump, const std::string& output, ExportForm form,
                           const ExportOptions& options) {
  return api::guard([&] { return export_checked(dump, output, form, options); });
}

}  // namespace heapcheck
