// How the files of each family are read and summarised: what summary.cpp chooses from. Borrows its input.
#pragma once

#include "analyze/summary/summary.hpp"

namespace heapcheck::analyze {

/// Each fills in all of `summary` but what its sink counts. `format` is a version of MoarVM's.
void summarise_mvmheap(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink,
                       Summary& summary);
/// The format of a trace is that of its dumps.
void summarise_trace(core::Window& window, const Limits& limits, core::FindingSink& sink, Summary& summary);
void summarise_heapprofile(core::Window& window, const Limits& limits, core::FindingSink& sink,
                           Summary& summary);
void summarise_heapsnapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                            Summary& summary);

/// Appends a fact that is shown as its value.
inline void add_number(Summary& summary, std::string key, std::string label, std::uint64_t value) {
  summary.facts.push_back({.key = std::move(key), .label = std::move(label), .value = value});
}

/// Appends who wrote a file, if that can be guessed.
inline void add_producer(Summary& summary, std::string_view producer) {
  if (producer.empty()) return;
  summary.facts.push_back({.key = "producer",
                           .label = "producer",
                           .value = std::string(producer),
                           .words = std::string(producer) + " (a guess)"});
}

}  // namespace heapcheck::analyze
