// Rules on whole sections of a version 2 file, and notes on the quirks of layout C.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "validate/mvmheap/v2/rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace model = heapcheck::mvmheap;
namespace format = heapcheck::mvmheap::v2;

/// mvm2.tables.repeated. `last` holds the rows of the last sections. All tables must have been read
/// completely.
void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink);

/// Reports each quirk as a note, once per file.
void check_quirks(const format::SectionContainer& container, core::FindingSink& sink);

/// mvm2.rows.upper-mismatch. All rows must follow the rules.
void check_upper_halves(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
