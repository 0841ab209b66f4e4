// Rules over what the sections of a version 2 file say together, and the quirks of layout C.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "validate/mvmheap/v2/rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace model = heapcheck::mvmheap;
namespace format = heapcheck::mvmheap::v2;

/// mvm2.tables.repeated. `last` is what the last sections hold; all tables could be read whole.
void check_last_tables(const format::SectionContainer& container, const model::Tables& tables,
                       const model::Tables& last, core::FindingSink& sink);

/// The notes, one a file each.
void check_quirks(const format::SectionContainer& container, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
