// Rules on the maps of one dump, the current one of its process.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::Model;
using heapcheck::chrome::heaps_v2::Scope;

/// heaps2.maps.duplicate-id, heaps2.maps.id-range. Says whether each id means one thing.
bool check_ids(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

/// heaps2.maps.cycle: linear, whatever the parents.
void check_cycles(const Dump& dump, const Scope& scope, core::FindingSink& sink);

/// heaps2.maps.redefined: of a dump that adds to the maps of earlier ones. Says whether each id means what it
/// did.
bool check_redefined(const Model& model, const Scope& scope, MapKind kind, core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
