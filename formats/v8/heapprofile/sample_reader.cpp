#include "formats/v8/heapprofile/sample_reader.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/v8/heapprofile/faults.hpp"
#include "formats/v8/heapprofile/layout.hpp"
#include "formats/v8/heapprofile/number.hpp"

namespace heapcheck::v8::heapprofile {
namespace {

using core::JsonToken;

class SampleReader {
 public:
  SampleReader(Context& context, std::uint64_t index) : context_(&context), index_(index) {}

  /// Reads the object that the current token begins.
  void read() {
    offset_ = context_->json.span().offset;
    while (context_->json.next() == JsonToken::key) read_member();
    if (context_->json.token() == JsonToken::error) return;
    for (std::size_t i = 0; i < sample_members.size() && fault_.empty(); ++i) {
      if (!seen_.has(static_cast<SampleMember>(i)))
        fault_ = fmt::format("the sample has no `{}`", sample_members[i]);
    }
    if (fault_.empty()) return keep();
    report(rules::sample_members, fault_);
  }

 private:
  [[nodiscard]] std::string path() const { return "/samples/" + std::to_string(index_); }

  void read_member() {
    core::JsonReader& json = context_->json;
    const auto member = find_member<SampleMember>(sample_members, json.text());
    if (!member) return context_->skip_unknown("sample", [this] { return path(); });
    if (!seen_.add(*member)) return context_->skip_duplicate([this] { return path(); });
    const auto place = static_cast<std::size_t>(*member);
    const JsonToken token = json.next();
    const auto amount = token == JsonToken::number ? decode_amount(json) : std::nullopt;
    if (amount && (amount->is_whole || *member == SampleMember::size)) {
      values_[place] = amount->value;
      has_fraction_ = has_fraction_ || !amount->is_whole;
    } else if (token != JsonToken::error && fault_.empty()) {
      fault_ =
          fmt::format("`{}` is {}, required is {} from 0 to 2^64 - 1", sample_members[place],
                      token == JsonToken::number ? describe_number(json) : std::string(describe_token(token)),
                      *member == SampleMember::size ? "a number" : "an integer");
    }
    context_->skip_nested();
  }

  void keep() {
    if (has_fraction_) report(rules::size_fraction, "the sample's `size` has a fraction");
    context_->profile.samples.add(values_[0], values_[1], values_[2]);
    context_->container.sample_offsets.push_back(offset_);
    context_->container.sample_indices.push_back(index_);
  }

  void report(const Rule& rule, const std::string& message) {
    if (context_->sink.wanted(rule) == 0) return context_->sink.report_more(rule, 1);
    context_->sink.report({&rule, {mark(offset_), std::nullopt, path()}, message});
  }

  Context* context_;
  std::uint64_t index_;
  std::uint64_t offset_ = 0;
  MemberSet<SampleMember> seen_;
  std::array<std::uint64_t, sample_members.size()> values_{};
  bool has_fraction_ = false;
  std::string fault_;
};

void report_type(Context& context, std::string path, std::string_view subject, std::string_view what) {
  core::report_or_count(context.sink, {&rules::samples_type,
                                       {context.json.span(), std::nullopt, std::move(path)},
                                       fmt::format("{} is {}, required is {}", subject,
                                                   describe_token(context.json.token()), what)});
}

}  // namespace

void read_samples(Context& context) {
  core::JsonReader& json = context.json;
  if (json.next() == JsonToken::error) return;
  if (json.token() != JsonToken::array_begin) {
    report_type(context, "/samples", "`samples`", "an array");
    return context.skip_nested();
  }
  context.profile.has_samples = true;
  const std::uint64_t offset = json.span().offset;
  for (std::uint64_t index = 0; json.next() != JsonToken::array_end; ++index) {
    if (json.token() == JsonToken::error) return;
    if (json.token() == JsonToken::object_begin) {
      context.sink.flush();  // of the elements before
      SampleReader(context, index).read();
      if (json.token() == JsonToken::error || !context.within_memory("/samples")) return;
      continue;
    }
    report_type(context, "/samples/" + std::to_string(index), "an element of `samples`", "an object");
    context.skip_nested();
    if (json.token() == JsonToken::error) return;
  }
  context.sink.flush();
  context.container.samples = Span{offset, json.span().end() - offset};
}

}  // namespace heapcheck::v8::heapprofile
