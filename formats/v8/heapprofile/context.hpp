// The state that the readers for the parts of a profile share: the context that all JSON formats need, the
// profile that the readers fill in, and functions that skip unused members and decode numbers. Borrows
// everything.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "formats/core/held_sink.hpp"
#include "formats/core/json/context.hpp"
#include "formats/v8/heapprofile/container.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

class Context : public core::JsonContext {
 public:
  Context(core::JsonReader& reader, core::HeldSink& to_sink, core::MemoryBudget& budget, Profile& to_profile,
          ProfileContainer& to_container)
      : JsonContext(reader, to_sink, budget, "the profile needs more memory than the limit of {} bytes"),
        held(to_sink),
        profile(to_profile),
        container(to_container) {}

  /// Whether the content read so far is within the memory limit. If it is not, reports this at the current
  /// token and returns false from then on.
  bool fits_memory(std::string_view path) const {
    return JsonContext::fits_memory(profile.memory() + container.memory(), json.span(), path);
  }

  /// Skips the value of the member whose key is the current token. Reports each name that V8 does not write
  /// in this kind of object, but only once. `make_path` returns the path of the object. For the profile
  /// itself, which has no path, it returns the path of the member.
  template <class MakePath>
  void skip_unknown(std::string_view kind, const MakePath& make_path) {
    if (is_new(kind)) report(rules::file_unknown, json.span(), make_path, describe_unknown(kind));
    ++container.unknown_members;
    json.skip_value();
  }
  /// Skips the value of a member that occurs more than once in its object.
  template <class MakePath>
  void skip_duplicate(const MakePath& make_path) const {
    refuse_repeated(make_path,
                    "the object has a second member `" + std::string(json.text()) + "`, expected only one");
  }

  core::HeldSink& held;
  Profile& profile;
  ProfileContainer& container;

 private:
  bool is_new(std::string_view kind);
  [[nodiscard]] std::string describe_unknown(std::string_view kind) const;

  std::set<std::string, std::less<>> unknown_;
};

// Numbers are read as in JavaScript: 1e6 is considered an integer.

/// A size, id or ordinal, without its fraction.
struct Amount {
  std::uint64_t value = 0;
  bool is_whole = true;
};

/// The current number of `json`, if it is between 0 and 2^64 - 1.
std::optional<Amount> decode_amount(const core::JsonReader& json);
/// The current value of `json`, for messages: a number as written, but shortened if it is long, or the type
/// of any other value.
std::string describe_value(const core::JsonReader& json);
/// The current number of `json`, if it is a 32-bit integer other than the smallest.
std::optional<std::int32_t> decode_position(const core::JsonReader& json);

/// Reads the value of the `samples` key, which is the current token, into columns. A sample that lacks a
/// member is reported and left out. A sample that is cut off by the end of the input is left out without a
/// report. Stops at a syntax error or a limit.
void read_samples(Context& context);

}  // namespace heapcheck::v8::heapprofile
