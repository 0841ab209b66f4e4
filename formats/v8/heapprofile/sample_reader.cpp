#include "formats/v8/heapprofile/context.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/layout.hpp"

namespace heapcheck::v8::heapprofile {
namespace {

using core::JsonToken;

constexpr std::string_view samples_path = "/samples";

class SampleReader {
 public:
  SampleReader(Context& context, std::uint64_t index) : context_(&context), index_(index) {}

  /// Reads the object that begins at the current token.
  void read() {
    offset_ = context_->json.span().offset;
    while (context_->json.next() == JsonToken::key) read_member();
    if (context_->json.token() == JsonToken::error) return;
    for (std::size_t i = 0; i < sample_members.size() && fault_.empty(); ++i) {
      if (!seen_.has(static_cast<SampleMember>(i)))
        fault_ = fmt::format("the sample has no `{}`", sample_members[i]);
    }
    if (fault_.empty()) return keep();
    report(rules::sample_members, std::move(fault_));
  }

 private:
  void read_member() {
    core::JsonReader& json = context_->json;
    const auto member = find_member<SampleMember>(sample_members, json.text());
    const core::JsonPath path(samples_path, index_);
    if (!member) return context_->skip_unknown("sample", path);
    if (!seen_.add(*member)) return context_->skip_duplicate(path);
    const auto place = static_cast<std::size_t>(*member);
    const JsonToken token = json.next();
    const auto amount = token == JsonToken::number ? decode_amount(json) : std::nullopt;
    // A size may have a fraction, but the id of a node never does.
    if (amount && (amount->is_whole || *member == SampleMember::size)) {
      values_[place] = amount->value;
      has_fraction_ = has_fraction_ || !amount->is_whole;
    } else if (token != JsonToken::error && fault_.empty()) {
      fault_ = fmt::format("`{}` is {}, expected {} from 0 to 2^64 - 1", sample_members[place],
                           describe_value(json), *member == SampleMember::size ? "a number" : "an integer");
    }
    context_->skip_nested();
  }

  void keep() {
    if (has_fraction_)
      report(rules::size_fraction, "the sample's `size` has a fraction, expected a whole number");
    context_->profile.samples.add(values_[0], values_[1], values_[2]);
    context_->container.sample_offsets.push_back(offset_);
    context_->container.sample_indices.push_back(index_);
  }

  void report(const Rule& rule, std::string message) {
    context_->report(rule, mark(offset_), core::JsonPath(samples_path, index_), std::move(message));
  }

  Context* context_;
  std::uint64_t index_;
  std::uint64_t offset_ = 0;
  MemberSet<SampleMember> seen_;
  std::array<std::uint64_t, sample_members.size()> values_{};
  bool has_fraction_ = false;
  std::string fault_;
};

void refuse_type(const Context& context, const core::JsonPath& path, std::string_view subject,
                 std::string_view what) {
  context.refuse(rules::samples_type, path,
                 fmt::format("{} is {}, expected {}", subject, describe_token(context.json.token()), what));
}

}  // namespace

void read_samples(Context& context) {
  core::JsonReader& json = context.json;
  if (json.next() == JsonToken::error) return;
  if (json.token() != JsonToken::array_begin) {
    return refuse_type(context, samples_path, "`samples`", "an array");
  }
  context.profile.has_samples = true;
  const std::uint64_t offset = json.span().offset;
  for (std::uint64_t index = 0; json.next() != JsonToken::array_end; ++index) {
    if (json.token() == JsonToken::error) return;
    if (json.token() == JsonToken::object_begin) {
      context.held.flush();  // passes on findings about the previous elements
      SampleReader(context, index).read();
      if (json.token() == JsonToken::error || !context.fits_memory(samples_path)) return;
      continue;
    }
    refuse_type(context, {samples_path, index}, "an element of `samples`", "an object");
    if (json.token() == JsonToken::error) return;
  }
  context.held.flush();
  context.container.samples = Span{offset, json.span().end() - offset};
}

}  // namespace heapcheck::v8::heapprofile
