// Functions that read and summarise the files of each family; summary.cpp chooses among them. They borrow
// their input.
#pragma once

#include "analyze/summary/summary.hpp"

namespace heapcheck::analyze {

/// Each of these functions fills in all of `summary` except the counts of its sink. `format` is a version of
/// MoarVM dumps.
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

/// Appends the program that wrote a file, if it can be guessed.
inline void add_producer(Summary& summary, std::string_view producer) {
  if (producer.empty()) return;
  summary.facts.push_back({.key = "producer",
                           .label = "producer",
                           .value = std::string(producer),
                           .words = std::string(producer) + " (a guess)"});
}

}  // namespace heapcheck::analyze
