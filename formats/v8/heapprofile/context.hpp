// What the readers of the parts of a profile share: beside what all JSON formats need, what they fill in, and
// members that are of no interest. Borrows all of it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "formats/core/json/context.hpp"
#include "formats/v8/heapprofile/container.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/held_sink.hpp"
#include "formats/v8/heapprofile/model.hpp"

namespace heapcheck::v8::heapprofile {

class Context : public core::JsonContext {
 public:
  Context(core::JsonReader& reader, HeldSink& to_sink, core::MemoryBudget& budget, Profile& to_profile,
          ProfileContainer& to_container)
      : JsonContext(reader, to_sink, budget, "the profile needs more than {} bytes of memory"),
        held(to_sink),
        profile(to_profile),
        container(to_container) {}

  /// Whether what was read so far keeps to the limit of memory; reports it at the current token otherwise,
  /// and is false from then on.
  bool fits_memory(std::string_view path) const {
    return JsonContext::fits_memory(profile.memory() + container.memory(), json.span(), path);
  }

  /// Goes behind the value of the member whose key is the current token, and notes once a name that no
  /// writer of V8 uses there. `make_path` returns the path of the object, or for the profile, which has none,
  /// of the member.
  template <class MakePath>
  void skip_unknown(std::string_view kind, const MakePath& make_path) {
    if (is_new(kind)) report(rules::file_unknown, json.span(), make_path, describe_unknown(kind));
    ++container.unknown_members;
    json.skip_value();
  }
  /// Goes behind the value of a member that its object has already.
  template <class MakePath>
  void skip_duplicate(const MakePath& make_path) const {
    refuse_repeated(make_path,
                    "the object has a second `" + std::string(json.text()) + "`; a member must occur once");
  }

  HeldSink& held;
  Profile& profile;
  ProfileContainer& container;

 private:
  bool is_new(std::string_view kind);
  [[nodiscard]] std::string describe_unknown(std::string_view kind) const;

  std::set<std::string, std::less<>> unknown_;
};

}  // namespace heapcheck::v8::heapprofile
