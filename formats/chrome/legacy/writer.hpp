// Writes legacy heap dumps as events of a trace, in the compact form that Chrome 64 uses. The same model
// always produces the same bytes. Rows are written in the order in which the model lists them. Leaves out
// members that an entry lacks, and entries whose stack or type could not be read.
#pragma once

#include <string>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/output/output_file.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::chrome::legacy {

/// Appends the value of `args.dumps.heaps` of a dump: `{"malloc":{"entries":[...]}}`.
void write_heaps(const Dump& dump, const IdPool& ids, std::string& out);

/// Appends the event of phase `v` that contains a dump.
void write_dump_event(const Process& process, const Dump& dump, const IdPool& ids, std::string& out);

/// Appends the events with the names of a process: one `stackFrames` or `typeNames` event for each original
/// event. A comma and a line feed separate each event from the text before it.
void write_names(const Model& model, const Process& process, std::string& out);

/// Does the same, but first appends a `process_name` event if the process has a name.
void write_metadata_events(const Model& model, const Process& process, std::string& out);

/// Writes all events: first the metadata of all processes, and then the dumps in the order of their events.
/// The events are separated by a comma and a line feed. The caller writes the JSON around them. Errors: the
/// errors of the sink.
Result<void> write_events(const Model& model, core::ByteSink& sink);

}  // namespace heapcheck::chrome::legacy
