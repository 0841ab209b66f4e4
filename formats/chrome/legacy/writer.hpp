// Writes legacy heap dumps as events of a trace, in the shape that Chrome 64 gives them: compact, the same
// model the same bytes. Rows are written in the order of the model; what an entry does not have is left out,
// entries whose stack or type could not be read are too.
#pragma once

#include <string>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/output_file.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::chrome::legacy {

/// Appends the value of `args.dumps.heaps` of a dump: `{"malloc":{"entries":[...]}}`.
void write_heaps(const Dump& dump, const IdPool& ids, std::string& out);

/// Appends the event that carries a dump, of phase `v`.
void write_dump_event(const Process& process, const Dump& dump, const IdPool& ids, std::string& out);

/// Appends the events with the names of a process: `stackFrames` and `typeNames` for each event that they
/// come from. A comma and a line feed stand between them, and before them where `out` is not empty.
void write_names(const Model& model, const Process& process, std::string& out);

/// The same with `process_name` before them, where the process has a name.
void write_metadata_events(const Model& model, const Process& process, std::string& out);

/// Writes all events: the metadata of all processes, then the dumps in the order of their events, with a
/// comma and a line feed between them. The caller writes what stands around them. Errors: those of the sink.
Result<void> write_events(const Model& model, core::ByteSink& sink);

}  // namespace heapcheck::chrome::legacy
