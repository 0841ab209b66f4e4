// Writes the output of `heapcheck info` for each kind of file, either as lines of text that each end with a
// line feed or as members of the current JSON object.
#pragma once

#include <string>

#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/summary.hpp"

namespace heapcheck::cli {

void append_text(std::string& out, const MvmheapSummary& dump);
void append_text(std::string& out, const TraceSummary& trace);
void append_text(std::string& out, const ProfileSummary& profile);
void append_text(std::string& out, const SnapshotSummary& snapshot);

void write_json(core::JsonWriter& json, const MvmheapSummary& dump);
void write_json(core::JsonWriter& json, const TraceSummary& trace);
void write_json(core::JsonWriter& json, const ProfileSummary& profile);
void write_json(core::JsonWriter& json, const SnapshotSummary& snapshot);

}  // namespace heapcheck::cli
