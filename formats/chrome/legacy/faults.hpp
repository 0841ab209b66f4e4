// The rules that reading legacy heap dumps can raise. Rules over what was read stand in
// validate/chrome/legacy.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::chrome::legacy::rules {

inline constexpr Rule entry_hex{"legacy.entry.hex",
                                Severity::error,
                                Stage::read,
                                "a size or count has 1 to 16 hexadecimal digits and nothing else",
                                "Catapult reads the digits before the first other character, or shows NaN.",
                                "chrome/legacy.md#entries",
                                "0.1"};
inline constexpr Rule entry_size{"legacy.entry.size",
                                 Severity::error,
                                 Stage::read,
                                 "an entry has a size",
                                 "Catapult shows NaN for it, without a warning.",
                                 "chrome/legacy.md#entries",
                                 "0.1"};
inline constexpr Rule frame_duplicate_id{"legacy.frame.duplicate-id",
                                         Severity::error,
                                         Stage::check,
                                         "the stack frames of a process have different ids",
                                         "Catapult stops importing.",
                                         "chrome/legacy.md#frames",
                                         "0.1"};
inline constexpr Rule frame_name{"legacy.frame.name",
                                 Severity::error,
                                 Stage::read,
                                 "a stack frame has a name",
                                 "Catapult stops importing at it.",
                                 "chrome/legacy.md#frames",
                                 "0.1"};
inline constexpr Rule frames_hierarchy{
    "legacy.frames.hierarchy",
    Severity::note,
    Stage::read,
    "stack frames are members with `name` and `parent`",
    "Nested stack frames with a table of names were a proposal that no release wrote; Catapult takes "
    "`hierarchy` and `names` for the ids of two frames.",
    "chrome/legacy.md#hierarchy",
    "0.1"};
inline constexpr Rule frames_hierarchy_name{"legacy.frames.hierarchy-name",
                                            Severity::error,
                                            Stage::read,
                                            "a key of the hierarchy is `bt` or a place in the table of names",
                                            "The frame has no name.",
                                            "chrome/legacy.md#hierarchy",
                                            "0.1"};
inline constexpr Rule id_number{"legacy.id.number",
                                Severity::warning,
                                Stage::read,
                                "an id is a string",
                                "Chrome writes strings; Catapult makes one of a number, others may not.",
                                "chrome/legacy.md#ids",
                                "0.1"};
inline constexpr Rule value_type{"legacy.value.type",
                                 Severity::error,
                                 Stage::read,
                                 "each value is of the JSON type that its place asks for",
                                 "Catapult skips the value, takes another one for it, or stops importing.",
                                 "chrome/legacy.md#object",
                                 "0.1"};

}  // namespace heapcheck::chrome::legacy::rules
