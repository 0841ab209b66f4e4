#include "conformance/reader_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>

#include "formats/core/output/json_writer.hpp"

namespace heapcheck::conformance {
namespace {

/// The columns of the table.
enum class Outcome : std::uint8_t {
  valid_accepted,
  valid_refused,
  invalid_refused,
  invalid_accepted,
  crashed,
  hung,
  not_asked,
};
using Counts = std::array<std::size_t, 7>;

Outcome outcome_of(const Asked& asked) {
  if (!asked.answer) return Outcome::not_asked;
  const bool is_valid = duty_of(*asked.record) == Duty::accept;
  switch (*asked.answer) {
    case Answer::accepts:
      return is_valid ? Outcome::valid_accepted : Outcome::invalid_accepted;
    case Answer::refuses:
      return is_valid ? Outcome::valid_refused : Outcome::invalid_refused;
    case Answer::crashes:
      return Outcome::crashed;
    case Answer::hangs:
      break;
  }
  return Outcome::hung;
}

std::string make_row(std::string_view name, const Counts& counts) {
  return fmt::format("| {} | {} |\n", name, fmt::join(counts, " | "));
}

/// A kind of wrong answer, and the heading of its list.
struct Disagreement {
  Answer answer;
  Duty duty;
  std::string_view words;
};
constexpr std::array<Disagreement, 6> disagreements{
    {{Answer::crashes, Duty::accept, "crashes on a valid file"},
     {Answer::crashes, Duty::refuse, "crashes on an invalid file"},
     {Answer::hangs, Duty::accept, "hangs on a valid file"},
     {Answer::hangs, Duty::refuse, "hangs on an invalid file"},
     {Answer::refuses, Duty::accept, "refuses a valid file"},
     {Answer::accepts, Duty::refuse, "accepts an invalid file"}}};

std::string make_list(const Disagreement& kind, const std::vector<Asked>& all, std::size_t max_names) {
  std::string names;
  std::size_t count = 0;
  for (const Asked& asked : all) {
    if (asked.answer != kind.answer || duty_of(*asked.record) != kind.duty) continue;
    if (count++ < max_names) names += fmt::format("  {}: {}\n", asked.record->name, asked.record->title);
  }
  if (count == 0) return "";
  if (count > max_names) names += fmt::format("  and {} more (--list shows all)\n", count - max_names);
  return fmt::format("\n{} ({}):\n{}", kind.words, count, names);
}

void write_asked(core::JsonWriter& json, const Asked& asked) {
  json.begin_object();
  json.member("case", asked.record->name);
  json.member("verdict", asked.record->verdict);
  json.key("reader");
  if (asked.answer) {
    json.string(name_of(*asked.answer));
  } else {
    json.null();
  }
  json.member("agrees", agrees(asked));
  json.end_object();
}

}  // namespace

Duty duty_of(const CaseRecord& record) {
  const bool needs_help = !record.limits.empty() || !record.compression.empty();
  if (needs_help || record.verdict == "undecided") return Duty::none;
  return record.verdict == "valid" ? Duty::accept : Duty::refuse;
}

bool agrees(const Asked& asked) {
  const Duty duty = duty_of(*asked.record);
  if (!asked.answer || duty == Duty::none) return true;
  return *asked.answer == (duty == Duty::accept ? Answer::accepts : Answer::refuses);
}

std::string make_table(const std::vector<Asked>& all) {
  std::map<std::string_view, Counts> rows;
  for (const Asked& asked : all) ++rows[asked.record->slug][static_cast<std::size_t>(outcome_of(asked))];
  std::string table =
      "| format | valid: accepted | refused | invalid: refused | accepted | crashed | hung | not asked |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& [slug, counts] : rows) table += make_row(slug, counts);
  return table;
}

std::string make_lists(const std::vector<Asked>& all, std::size_t max_names) {
  std::string lists;
  for (const Disagreement& kind : disagreements) lists += make_list(kind, all, max_names);
  return lists;
}

std::string make_answers(std::string_view command, const std::vector<Asked>& all) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  json.member("reader", command);
  json.begin_array("cases");
  for (const Asked& asked : all) write_asked(json, asked);
  json.end_array();
  json.end_object();
  return out + "\n";
}

}  // namespace heapcheck::conformance
