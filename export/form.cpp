#include "export/form.hpp"

#include <algorithm>

#include "export/heapsnapshot/write.hpp"
#include "export/profiles/collapsed.hpp"
#include "export/profiles/dhat.hpp"
#include "export/profiles/pprof.hpp"
#include "export/profiles/speedscope.hpp"
#include "export/tables/csv.hpp"
#include "export/tables/ndjson.hpp"
#include "export/tables/parquet/writer.hpp"

namespace heapcheck::exports {
namespace {

constexpr Form forms[] = {
    {.form = ExportForm::heapsnapshot,
     .name = "heapsnapshot",
     .is_text = true,
     .write_graph = heapsnapshot::write_heapsnapshot},
    {.form = ExportForm::collapsed,
     .name = "collapsed",
     .is_text = true,
     .write_stacks = profiles::write_collapsed},
    {.form = ExportForm::speedscope,
     .name = "speedscope",
     .is_text = true,
     .write_stacks = profiles::write_speedscope},
    {.form = ExportForm::pprof, .name = "pprof", .write_stacks = profiles::write_pprof},
    {.form = ExportForm::dhat, .name = "dhat", .is_text = true, .write_stacks = profiles::write_dhat},
    {.form = ExportForm::sqlite, .name = "sqlite", .is_database = true},
    {.form = ExportForm::csv, .name = "csv", .is_text = true, .open_table = tables::open_csv},
    {.form = ExportForm::ndjson, .name = "ndjson", .is_text = true, .open_table = tables::open_ndjson},
    {.form = ExportForm::parquet, .name = "parquet", .open_table = tables::parquet::open_parquet},
};

}  // namespace

std::span<const Form> all_forms() { return forms; }

const Form& row_of(ExportForm form) { return *std::ranges::find(forms, form, &Form::form); }

}  // namespace heapcheck::exports
