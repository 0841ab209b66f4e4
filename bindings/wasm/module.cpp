// The functions that the module exports. A request is one JSON object, and the response is a JSON document
// or, for a page and for output, the bytes themselves. module.mjs calls them.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/state.hpp"
#include "bindings/wasm/outputs.hpp"
#include "bindings/wasm/reports.hpp"
#include "bindings/wasm/request.hpp"
#include "bindings/wasm/state.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/ask.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/page.hpp"
#include "heapcheck/source.hpp"
#include "heapcheck/validate.hpp"

#define HEAPCHECK_EXPORT(name) extern "C" __attribute__((export_name(name)))

/// Reads bytes of the caller's source into the memory of the module. Returns the number of bytes, or a
/// negative number if they cannot be read.
extern "C" __attribute__((import_module("heapcheck"), import_name("read"))) std::int32_t heapcheck_read(
    std::uint32_t source, double offset, std::uint8_t* to, std::uint32_t byte_count);

namespace heapcheck::wasm {
namespace {

std::uint32_t next_dump = 1;
std::string request_text;
std::string response_text;
std::string_view response;  ///< is not in response_text if there is no memory

/// What the last answer says beside its rows, and the dump because of which there is no answer.
std::vector<Remark> remarks;
std::vector<CheckedCondition> conditions;
std::string asked_dump;

Response open_dump(const Request& request) {
  const auto number = static_cast<std::uint32_t>(request.count("source"));
  CallerSource source{.byte_count = request.count("byte_count")};
  source.read_at = [number](std::uint64_t offset, std::span<std::uint8_t> buffer) -> Result<std::size_t> {
    const std::int32_t count = heapcheck_read(number, static_cast<double>(offset), buffer.data(),
                                              static_cast<std::uint32_t>(buffer.size()));
    if (count < 0) return refuse(ErrorKind::unreadable, "the caller could not read it");
    return static_cast<std::size_t>(count);
  };
  ReadOptions options;
  options.limits.max_memory = request.count("max_memory", options.limits.max_memory);
  options.limits.max_kept = 0;  // for most questions, reading again is cheaper than the memory
  if (request.values.contains("max_expanded")) options.limits.max_expanded = request.count("max_expanded");
  auto dump = open_source(std::move(source), options);
  if (!dump) return std::unexpected(dump.error());
  const std::uint32_t handle = next_dump++;
  const OpenedDump& added =
      opened_dumps().try_emplace(handle, std::move(*dump), request.text("name")).first->second;
  return make_document([&](core::JsonWriter& json) {
    json.member("dump", std::uint64_t{handle});
    json.member("format", slug_of(added.dump.format()));
    json.member("title", added.dump.title());
    json.member("is_compressed", added.dump.compression() != Compression::none);
  });
}

Response close_dump(const Request& request) {
  opened_dumps().erase(static_cast<std::uint32_t>(request.count("dump")));
  return std::string("{}");
}

Response check_dump(const Request& request) {
  auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const ValidateOptions options = make_validate_options(request);
  const Report report = validate((*dump)->dump, options);
  keep_report(**dump, report, options);
  const NamedReport named{.name = (*dump)->name, .report = &report, .reader = options.reader};
  return make_json({&named, 1}, options.reader);
}

/// A dump for a question or page. It is checked first. Errors: those of find_obstacle(), without damage if
/// the intact parts are enough.
Result<OpenedDump*> find_sound(const std::string& number, bool is_forced = false) {
  auto dump = find_dump(std::strtoul(number.c_str(), nullptr, 10));
  if (!dump) return dump;
  asked_dump = (*dump)->name;
  auto obstacle = find_obstacle(report_on(**dump));
  if (obstacle && !(is_forced && obstacle->kind == ErrorKind::damaged))
    return std::unexpected(std::move(*obstacle));
  return dump;
}

/// The first error that can change an answer or, if there is none, the first error; null if there is none.
const Finding* find_error(const Report& report) {
  const Finding* first = nullptr;
  for (const Finding& finding : report.findings) {
    if (finding.rule->severity != Severity::error) continue;
    if (affects_answers(finding)) return &finding;
    if (first == nullptr) first = &finding;
  }
  return first;
}

/// Says whether questions about the dump can be answered, and names the error that matters the most.
Response find_state(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const Report& report = report_on(**dump);
  const auto obstacle = find_obstacle(report);
  const Finding* const error = find_error(report);
  return make_document([&](core::JsonWriter& json) {
    if (obstacle) json.member("obstacle", obstacle->message);
    json.member("is_damaged", obstacle && obstacle->kind == ErrorKind::damaged);
    json.member("is_limited", obstacle && is_limit(obstacle->kind));
    if (error == nullptr) return;
    json.begin_object("error");
    json.member("offset", error->location.file.offset);
    json.member("message", error->message);
    json.member("affects_answers", affects_answers(*error));
    json.end_object();
  });
}

/// The form with that name; JSON for any other name.
AnswerForm find_form(std::string_view name) {
  constexpr std::pair<std::string_view, AnswerForm> forms[] = {
      {"text", AnswerForm::text},     {"ndjson", AnswerForm::ndjson}, {"csv", AnswerForm::csv},
      {"sarif", AnswerForm::sarif},   {"junit", AnswerForm::junit},   {"markdown", AnswerForm::markdown},
      {"github", AnswerForm::github}, {"gitlab", AnswerForm::gitlab}};
  for (const auto& [known, form] : forms) {
    if (known == name) return form;
  }
  return AnswerForm::json;
}

/// Adds the dump to the question. If it `is_last_use`, what was read from it is freed.
Result<void> add_dump(Question& question, OpenedDump& dump, bool is_last_use) {
  const auto count =
      is_last_use ? question.add(dump.name, std::move(dump.dump)) : question.add(dump.name, dump.dump);
  if (!count) return std::unexpected(count.error());
  if (*count == 0 && find_error(report_on(dump)) != nullptr)
    return refuse(ErrorKind::damaged, "no snapshot is intact");
  return {};  // the answer says what is in a dump without snapshots
}

Response answer(const Request& request) {
  const std::vector<std::string> dumps = request.strings("dumps");
  remarks.clear();
  conditions.clear();
  asked_dump.clear();
  auto question = Question::make(request.text("question"), request.options, dumps.size());
  if (!question) return std::unexpected(question.error());
  const auto force = request.options.find("force");
  const bool is_forced = force != request.options.end() && force->second == OptionValue(true);
  for (const std::string& number : dumps) {
    const auto dump = find_sound(number, is_forced);
    if (!dump) return std::unexpected(dump.error());
    if (const auto added = add_dump(*question, **dump, request.flag("is_last_use")); !added)
      return std::unexpected(added.error());
  }
  asked_dump.clear();
  auto answer = question->finish();
  if (!answer) return std::unexpected(answer.error());
  remarks = answer->remarks;
  conditions = answer->conditions;
  return write_answer(*answer, find_form(request.text("form")));
}

/// Checks a question without asking it. Errors: those of Question::make().
Response check_question(const Request& request) {
  const auto question =
      Question::make(request.text("question"), request.options, request.count("dump_count"));
  if (!question) return std::unexpected(question.error());
  return std::string("{}");
}

/// The remarks in the last answer and the outcomes of its conditions or, if there was none, the name of the
/// dump that is the reason.
Response list_remarks(const Request&) {
  constexpr std::string_view kinds[] = {"note", "reason", "violation"};
  return make_document([&](core::JsonWriter& json) {
    json.member("dump", asked_dump);
    json.begin_array("outcomes");
    for (const CheckedCondition& condition : conditions) json.string(name_of(condition.outcome));
    json.end_array();
    write_rows(json, "remarks", remarks, [&](core::JsonWriter& row, const Remark& remark) {
      row.member("kind", kinds[std::to_underlying(remark.kind)]);
      row.member("text", remark.text);
    });
  });
}

Response make_page(const Request& request) {
  HeapPage page;
  const std::vector<std::string> dumps = request.strings("dumps");
  // As by `heapcheck report`: of a single file, the page compares all snapshots.
  const HeapPageOptions options{.has_all_snapshots = dumps.size() == 1};
  for (const std::string& number : dumps) {
    const auto dump = find_sound(number);
    if (!dump) return std::unexpected(dump.error());
    if (const auto added = page.add((*dump)->dump, *(*dump)->report, (*dump)->name, options); !added)
      return std::unexpected(added.error());
  }
  return request.flag("json") ? page.make_json() : page.make_page();
}

Response list_questions(const Request&) {
  return make_document([](core::JsonWriter& json) {
    json.member("heapcheck", version());
    for (const std::string_view question : all_questions()) {
      json.begin_array(question);
      for (const std::string_view option : options_of(question)) json.string(option);
      json.end_array();
    }
  });
}

/// The formats to which the dump can be converted.
Response list_targets(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  return make_document([&](core::JsonWriter& json) {
    json.begin_array("targets");
    for (const Target target : targets_of(family_of((*dump)->dump.format()))) json.string(name_of(target));
    json.end_array();
  });
}

/// The rule with that id, for people.
Response describe_rule(const Request& request) {
  const Rule* const rule = find_rule(request.text("id"));
  if (rule == nullptr) return refuse(ErrorKind::unsupported, "there is no rule " + request.text("id"));
  return make_document([&](core::JsonWriter& json) {
    json.member("id", rule->id);
    json.member("title", rule->title);
    json.member("reason", rule->reason);
    json.member("example", rule->example);
    json.member("advice", rule->advice);
  });
}

/// Whether a file that starts with these bytes may be the dump in an archive.
bool looks_like_dump(core::ByteSpan first_bytes) {
  const auto dump = open_bytes(first_bytes);
  return dump || dump.error().kind != ErrorKind::unknown_format;
}

/// Bytes of the dump, without the compression around it. Findings refer to these bytes.
Response read_bytes(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const Dump::State& state = (*dump)->dump.state();
  const auto input = core::unwrap(read_again(state), state.options.limits, looks_like_dump);
  if (!input) return std::unexpected(input.error());
  core::Window window(*input->source);
  window.skip(request.count("offset"));
  const core::ByteSpan found = window.look(static_cast<std::size_t>(request.count("byte_count")));
  return std::string(found.begin(), found.end());
}

using Function = Response (*)(const Request&);

const std::map<std::string, Function, std::less<>> functions{{"open", open_dump},
                                                             {"close", close_dump},
                                                             {"validate", check_dump},
                                                             {"begin_report", begin_report},
                                                             {"add_to_report", add_to_report},
                                                             {"end_report", end_report},
                                                             {"ask", answer},
                                                             {"check_question", check_question},
                                                             {"remarks", list_remarks},
                                                             {"state", find_state},
                                                             {"page", make_page},
                                                             {"convert", convert_dump},
                                                             {"recover", recover_dump},
                                                             {"output", give_output},
                                                             {"questions", list_questions},
                                                             {"rule", describe_rule},
                                                             {"bytes", read_bytes},
                                                             {"targets", list_targets}};

Response call() {
  const auto request = parse_request(request_text);
  if (!request) return std::unexpected(request.error());
  const auto function = functions.find(request->text("call"));
  if (function == functions.end())
    return refuse(ErrorKind::unsupported, "there is no function " + request->text("call"));
  return function->second(*request);
}

/// Calls `use`. If there is not enough memory, or an array would be larger than 2 GiB, returns `otherwise`.
template <class Use, class Value>
Value use_memory(const Use& use, Value otherwise) {
  try {
    return use();
  } catch (const std::bad_alloc&) {
    return otherwise;
  } catch (const std::length_error&) {
    return otherwise;
  }
}

std::int32_t answer_request() {
  Response result = call();
  response_text = result ? std::move(*result) : std::move(result.error().message);
  response = response_text;
  return result ? 0 : static_cast<std::int32_t>(result.error().kind) + 1;
}

}  // namespace

/// Makes room for the text of the next request. Returns its place; null if there is not enough memory.
HEAPCHECK_EXPORT("reserve") char* reserve(std::uint32_t byte_count) {
  const auto make_room = [byte_count] {
    request_text.resize(byte_count);
    return request_text.data();
  };
  return use_memory(make_room, static_cast<char*>(nullptr));
}

/// Answers the request. Returns 0, or the number of the kind of error, counted from 1; the response is then
/// its message.
HEAPCHECK_EXPORT("call") std::int32_t call_function() {
  response = "needs more memory than WebAssembly has";
  return use_memory(answer_request, static_cast<std::int32_t>(ErrorKind::limit) + 1);
}

HEAPCHECK_EXPORT("response_data") const char* response_data() { return response.data(); }
HEAPCHECK_EXPORT("response_size") std::uint32_t response_size() {
  return static_cast<std::uint32_t>(response.size());
}
/// Releases the memory of the response.
HEAPCHECK_EXPORT("drop_response") void drop_response() {
  response = {};
  response_text = {};
}

}  // namespace heapcheck::wasm
