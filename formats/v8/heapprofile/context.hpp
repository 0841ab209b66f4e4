// What the readers of the parts of a profile share: what they read from and fill in, and what several
// of them report. Borrows all of it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "formats/core/finding_sink.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/v8/heapprofile/container.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/held_sink.hpp"
#include "formats/v8/heapprofile/model.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::v8::heapprofile {

class Context {
 public:
  Context(core::JsonReader& json_reader, const Limits& limits, HeldSink& finding_sink, Profile& to_profile,
          ProfileContainer& to_container)
      : json(json_reader),
        sink(finding_sink),
        profile(to_profile),
        container(to_container),
        max_memory_(limits.max_memory) {}

  /// Whether what was read so far keeps to the limit of memory; reports it at the current token otherwise,
  /// and is false from then on.
  bool within_memory(std::string_view path);
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// Goes behind the value of the member whose key is the current token, and notes once a name that no
  /// writer of V8 uses there. `make_path` gives the path of the object, or for the profile, which has none,
  /// of the member.
  template <class MakePath>
  void skip_unknown(std::string_view kind, MakePath&& make_path) {
    if (is_new(kind)) {
      if (sink.wanted(rules::file_unknown) == 0) {
        sink.report_more(rules::file_unknown, 1);
      } else {
        report_unknown(kind, make_path());
      }
    }
    ++container.unknown_members;
    json.skip_value();
  }
  /// Goes behind the value of a member that its object has already.
  template <class MakePath>
  void skip_duplicate(MakePath&& make_path) {
    const Rule& rule = core::rules::json_object_duplicate_key;
    // A path costs as much as its node is deep, so it is made for wanted findings only.
    if (sink.wanted(rule) == 0) {
      sink.report_more(rule, 1);
    } else {
      report_duplicate(make_path());
    }
    json.skip_value();
  }
  /// Goes to the end of the array or object that the current token begins, if it begins one.
  void skip_nested() {
    const core::JsonToken token = json.token();
    if (token == core::JsonToken::object_begin || token == core::JsonToken::array_begin) json.skip_rest();
  }

  core::JsonReader& json;
  HeldSink& sink;
  Profile& profile;
  ProfileContainer& container;

 private:
  bool is_new(std::string_view kind);
  void report_unknown(std::string_view kind, std::string path);
  void report_duplicate(std::string path);

  std::uint64_t max_memory_;
  bool stopped_ = false;
  std::set<std::string, std::less<>> unknown_;
};

}  // namespace heapcheck::v8::heapprofile
