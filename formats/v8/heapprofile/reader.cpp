#include "formats/v8/heapprofile/reader.hpp"

#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapprofile/context.hpp"
#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/layout.hpp"
#include "formats/v8/heapprofile/tree_reader.hpp"

namespace heapcheck::v8::heapprofile {
namespace {

using core::JsonToken;

class DocumentReader {
 public:
  DocumentReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
      : window_(&window),
        sink_(sink),
        json_(window, limits, core::make_json_options(limits)),
        memory_(limits.max_memory),
        context_(json_, sink_, memory_, reading_.profile, reading_.container),
        tree_(context_) {}
  DocumentReader(const DocumentReader&) = delete;
  DocumentReader& operator=(const DocumentReader&) = delete;
  ~DocumentReader() = default;

  Reading read() {
    read_document();
    sink_.flush();
    json_.release();
    reading_.container.byte_count = window_->offset();
    return std::move(reading_);
  }

 private:
  void read_document() {
    skip_byte_order_mark();
    if (json_.next() == JsonToken::object_begin) {
      while (json_.next() == JsonToken::key && !memory_.is_spent()) {
        sink_.flush();  // passes on findings about the previous member
        read_member();
      }
    } else {
      context_.skip_nested();
    }
    if (memory_.is_spent()) return;
    if (json_.token() == JsonToken::error) return report_error();
    finish();
  }

  void skip_byte_order_mark() {
    if (const auto mark = core::json::skip_byte_order_mark(*window_))
      sink_.report({&rules::file_bom, {*mark}, "the profile begins with a byte order mark, expected none"});
  }

  void read_member() {
    const auto make_path = [this] { return "/" + core::make_opening(json_.text()); };
    Form& form = reading_.container.form;
    const std::string_view name = json_.text();
    part_ = {};
    if (name == "head") {
      if (std::exchange(has_head_, true)) {
        // There is no way to know which of the two trees is the correct one.
        reading_.container.head_is_sound = false;
        return context_.skip_duplicate(make_path);
      }
      read_head();
    } else if (name == "samples") {
      if (std::exchange(has_samples_, true)) return context_.skip_duplicate(make_path);
      part_ = Part::samples;
      form.samples_first = !has_head_;
      read_samples(context_);
    } else {
      form.has_modules = form.has_modules || name == "modules";
      form.has_vscode = form.has_vscode || name == "$vscode";
      context_.skip_unknown("profile", make_path);
    }
  }

  void read_head() {
    part_ = Part::tree;
    const std::uint64_t errors = sink_.errors();
    tree_.read();
    reading_.container.head_is_sound = reading_.container.head && sink_.errors() == errors;
  }

  /// Checks that only white space follows the document's last bracket.
  void finish() {
    json_.next();
    if (json_.skip_whitespace()) {
      json_.release();
      return core::report_trailing(*window_, sink_);
    }
    if (core::report_input_failure(*window_, sink_, {{window_->offset(), 0}})) return;
    reading_.container.is_complete = true;
    if (!has_head_)
      sink_.report({&rules::file_head,
                    {{0, json_.span().offset}},
                    "the profile has no member `head`, expected the root of the tree"});
  }

  void report_error() {
    if (core::report_input_failure(*window_, sink_, {{window_->offset(), 0}})) return;
    // The content before the point where the input ended or a limit was reached is intact, so the findings
    // about it are kept. After any other error, only the finding about that error is kept.
    const core::JsonErrorKind kind = json_.error()->kind;
    if (kind != core::JsonErrorKind::truncated && core::rule_of(kind).stage != Stage::limit) sink_.drop();
    context_.report_error(path());
  }

  /// The path of the element at which reading stopped.
  [[nodiscard]] std::string path() const {
    switch (part_) {
      case Part::none:
        break;
      case Part::tree:
        return reading_.container.head ? std::string() : tree_.path();
      case Part::samples:
        return reading_.container.samples ? std::string() : "/samples";
    }
    return {};
  }

  enum class Part : std::uint8_t { none, tree, samples };

  core::Window* window_;
  core::HeldSink sink_;
  core::JsonReader json_;
  core::MemoryBudget memory_;
  Reading reading_;
  Context context_;
  TreeReader tree_;
  Part part_ = Part::none;
  bool has_head_ = false;
  bool has_samples_ = false;
};

}  // namespace

Reading read_profile(core::Window& window, const Limits& limits, core::FindingSink& sink) {
  return DocumentReader(window, limits, sink).read();
}

}  // namespace heapcheck::v8::heapprofile
