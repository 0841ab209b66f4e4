// The writer of each form, and the table of all forms.
#pragma once

#include <cstdint>
#include <memory>

#include "export/form.hpp"
#include "export/tables/table.hpp"
#include "formats/core/output/output_file.hpp"

namespace heapcheck::exports::heapsnapshot {

/// Writes a MoarVM heap as a V8 heap snapshot, so that Chrome DevTools, memlab and others can show it. Nodes
/// keep their order, so node N is node N of the graph. Objects, type objects, STables and frames become
/// `object` nodes, and roots become `synthetic` nodes. References become `property` edges, `element` edges
/// or, if they have no name, `internal` edges. The self size includes unmanaged memory. Losses: sizes of 2^32
/// or more, which readers reduce to 32 bits, and names that were truncated. Errors: unsupported if it is not
/// a MoarVM dump or has too many nodes; unwritable.
[[nodiscard]] Result<Written> write_heapsnapshot(const GraphInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::heapsnapshot

namespace heapcheck::exports::profiles {

/// Writes collapsed stacks: the text that flamegraph.pl, speedscope and inferno read. There is one line for
/// each place with memory, in the order of places. Each line consists of the frames, outermost first and
/// separated by semicolons, then a space, and then the number of bytes. In a name, semicolons become colons,
/// and line breaks and other control characters become spaces. Errors: unwritable; limit, see check_stacks().
[[nodiscard]] Result<Written> write_collapsed(const StacksInput& input, core::ByteSink& sink);

/// Writes the JSON that speedscope reads: a sampled profile whose weights are bytes. There is one sample for
/// each place with memory, in the order of places, and one frame for each function. Errors: unwritable;
/// limit, see check_stacks(). Source: https://www.speedscope.app/file-format-schema.json
[[nodiscard]] Result<Written> write_speedscope(const StacksInput& input, core::ByteSink& sink);

/// Writes the protocol buffer that `pprof` and `go tool pprof` read, compressed with gzip. There is one
/// sample for each row of memory. It contains the objects and bytes, under the same names as in Go's heap
/// profiles, and the type and allocator as labels. Errors: unwritable; limit, see check_stacks(). Source:
/// https://github.com/google/pprof/blob/main/proto/profile.proto
[[nodiscard]] Result<Written> write_pprof(const StacksInput& input, core::ByteSink& sink);

/// Writes the JSON that the viewer of DHAT, valgrind's heap profiler, reads. Firefox Profiler reads it too.
/// There is one program point for each stack with memory, with its frames, innermost first, its bytes and its
/// objects. The viewer rejects a stack that occurs twice, so places with the same frames share a program
/// point. A snapshot has neither lifetimes nor accesses. It lasts for one unit of time, so a rate is the
/// number itself. If the format does not count objects, stacks are counted instead. Losses: numbers above
/// 2^53. Errors: unwritable; limit, see check_stacks(). Source: the comment about the output in
/// dhat/dh_main.c, and dhat/dh_view.js, in valgrind 3.19
[[nodiscard]] Result<Written> write_dhat(const StacksInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::profiles

namespace heapcheck::exports::tables {

// Each of these writers borrows the table and the sink.

/// Writes a table as comma-separated values (RFC 4180, but with line feeds). The first line contains the
/// names of the columns. A missing value is an empty field, and empty text is "".
[[nodiscard]] std::unique_ptr<TableWriter> open_csv(const Table& table, core::ByteSink& sink);

/// Writes a table as NDJSON: one JSON object on each line. A missing value is left out.
[[nodiscard]] std::unique_ptr<TableWriter> open_ndjson(const Table& table, core::ByteSink& sink);

namespace parquet {

/// The number of rows in a row group. The last row group and groups with long strings may have fewer rows.
constexpr std::size_t group_rows = 131'072;

/// Starts an Apache Parquet file, which is complete after finish(). It consists of row groups, whose columns
/// are compressed with zstd. Keeps one row group in memory. With the same version of zstd, the same rows,
/// added in the same pieces, produce the same bytes. The pieces matter because the size in memory, which
/// determines where a row group with long strings ends, is checked after each piece. Errors of add(): also
/// unwritable if a string is longer than 2^30 bytes, because the sizes in a file have 31 bits. spec:
/// parquet.md
[[nodiscard]] std::unique_ptr<TableWriter> open_parquet(const Table& table, core::ByteSink& sink);

}  // namespace parquet
}  // namespace heapcheck::exports::tables

namespace heapcheck::exports {

/// One row for each form, in the order in which the help lists them.
inline constexpr Form forms[] = {
    {.form = ExportForm::heapsnapshot,
     .name = "heapsnapshot",
     .manual =
         "is a MoarVM heap as a V8 heap snapshot, which Chrome DevTools and memlab can open. An object has "
         "the same id in every snapshot of a dump if the same number of objects of its type come before it; "
         "the dump does not show whether it is the same object.",
     .is_text = true,
     .write_graph = heapsnapshot::write_heapsnapshot},
    {.form = ExportForm::collapsed,
     .name = "collapsed",
     .manual =
         "has one line for each call stack, in the form that flamegraph.pl, inferno and speedscope read.",
     .is_text = true,
     .write_stacks = profiles::write_collapsed},
    {.form = ExportForm::speedscope,
     .name = "speedscope",
     .manual = "is speedscope's JSON format.",
     .is_text = true,
     .write_stacks = profiles::write_speedscope},
    {.form = ExportForm::pprof,
     .name = "pprof",
     .manual = "is pprof's format, a compressed protocol buffer, with types and allocators as labels.",
     .write_stacks = profiles::write_pprof},
    {.form = ExportForm::dhat,
     .name = "dhat",
     .manual = "is the JSON format that valgrind's DHAT viewer reads.",
     .is_text = true,
     .write_stacks = profiles::write_dhat},
    {.form = ExportForm::sqlite,
     .name = "sqlite",
     .manual = "has tables of nodes, edges, types and strings or, for call stacks, tables of stacks and "
               "allocations.",
     .is_database = true},
    {.form = ExportForm::csv,
     .name = "csv",
     .manual = "has the same tables as comma-separated values.",
     .is_text = true,
     .open_table = tables::open_csv},
    {.form = ExportForm::ndjson,
     .name = "ndjson",
     .manual = "has the same tables, with one JSON object for each row.",
     .is_text = true,
     .open_table = tables::open_ndjson},
    {.form = ExportForm::parquet,
     .name = "parquet",
     .manual = "has the same tables in Apache Parquet format.",
     .open_table = tables::parquet::open_parquet},
};

}  // namespace heapcheck::exports
