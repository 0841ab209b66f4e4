// The rules that the version 2 reader raises itself: places where the bytes do not follow the
// grammar. Rules over what was read stand in validate/mvmheap/v2.
#pragma once

#include "heapcheck/finding.hpp"

namespace heapcheck::mvmheap::v2::rules {

inline constexpr Rule file_truncated{"mvm2.file.truncated",
                                     Severity::error,
                                     Stage::read,
                                     "the file goes on to the end of its index",
                                     "The writing process died or the copy was cut. Snapshots before the cut "
                                     "can still be read from the front.",
                                     "mvmheap/v2.md#file",
                                     "0.1"};
inline constexpr Rule file_unfinished{
    "mvm2.file.unfinished",
    Severity::error,
    Stage::read,
    "an index follows the last snapshot",
    "The process ended before it wrote the index, by which readers find the snapshots. What it wrote "
    "can still be read from the front.",
    "mvmheap/v2.md#file",
    "0.1"};
inline constexpr Rule file_trailing_bytes{"mvm2.file.trailing-bytes",
                                          Severity::error,
                                          Stage::read,
                                          "nothing follows the index",
                                          "A reader takes the last 32 bytes of the file for the trailer.",
                                          "mvmheap/v2.md#file",
                                          "0.1"};
inline constexpr Rule section_tag{"mvm2.section.tag",
                                  Severity::error,
                                  Stage::read,
                                  "a section starts with its tag",
                                  "A reader that meets an unknown tag takes the index for wrong.",
                                  "mvmheap/v2.md#sections",
                                  "0.1"};
inline constexpr Rule section_order{"mvm2.section.order",
                                    Severity::error,
                                    Stage::read,
                                    "sections come in the order of the format",
                                    "Tables would be missing, or taken for those of another snapshot.",
                                    "mvmheap/v2.md#order",
                                    "0.1"};
inline constexpr Rule section_entry_size{"mvm2.section.entry-size",
                                         Severity::error,
                                         Stage::read,
                                         "a section has the entry size of its kind",
                                         "A reader cannot tell where one entry ends and the next begins.",
                                         "mvmheap/v2.md#sections",
                                         "0.1"};
inline constexpr Rule section_count{"mvm2.section.count",
                                    Severity::error,
                                    Stage::read,
                                    "a section holds as many entries as its head says",
                                    "A reader takes other bytes for entries, or misses some.",
                                    "mvmheap/v2.md#sections",
                                    "0.1"};
inline constexpr Rule section_framing{
    "mvm2.section.framing",
    Severity::error,
    Stage::read,
    "the next section starts where the entries of one end",
    "Bytes are missing or too many, so what follows is read at wrong places.",
    "mvmheap/v2.md#sections",
    "0.1"};
inline constexpr Rule section_unaccounted{"mvm2.section.unaccounted",
                                          Severity::error,
                                          Stage::read,
                                          "every byte belongs to a section or to the index",
                                          "A reader that goes from section to section stops here.",
                                          "mvmheap/v2.md#order",
                                          "0.1"};
inline constexpr Rule refs_width{"mvm2.refs.width",
                                 Severity::error,
                                 Stage::read,
                                 "a reference starts with its width: '0', '1', '3' or '6'",
                                 "A reader cannot tell where the reference ends, and all behind it are lost.",
                                 "mvmheap/v2.md#references",
                                 "0.1"};
inline constexpr Rule refs_kind{
    "mvm2.refs.kind",
    Severity::error,
    Stage::read,
    "the kind of a reference has 2 bits and its index 62",
    "The writer packs both into 64 bits, so the reference cannot have been written like this.",
    "mvmheap/v2.md#references",
    "0.1"};
inline constexpr Rule strings_length{"mvm2.strings.length",
                                     Severity::error,
                                     Stage::read,
                                     "the length before a string leads to the next one",
                                     "All strings behind a wrong length are read at wrong places.",
                                     "mvmheap/v2.md#strings",
                                     "0.1"};

}  // namespace heapcheck::mvmheap::v2::rules
