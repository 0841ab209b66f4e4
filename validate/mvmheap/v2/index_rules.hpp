// Rules on the index of a version 2 file: compares its entries with the sections found.
#pragma once

#include <cstdint>
#include <span>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "validate/mvmheap/v2/rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {

namespace format = heapcheck::mvmheap::v2;

/// Applies these rules to the index, except for sections that could not be read and those of the snapshots in
/// `faulty`, which are sorted.
void check_index(const format::SectionContainer& container, std::span<const std::uint64_t> faulty,
                 core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v2
