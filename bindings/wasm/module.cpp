// The functions that the module exports. A request is one JSON object, and the response is a JSON document
// or, for a page and for output, the bytes themselves. module.mjs calls them.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/wasm/request.hpp"
#include "bindings/wasm/system/files.hpp"
#include "formats/core/output/json_writer.hpp"
#include "heapcheck/ask.hpp"
#include "heapcheck/convert.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/page.hpp"
#include "heapcheck/recover.hpp"
#include "heapcheck/source.hpp"
#include "heapcheck/validate.hpp"

#define HEAPCHECK_EXPORT(name) extern "C" __attribute__((export_name(name)))

/// Reads bytes of the caller's source into the memory of the module. Returns the number of bytes, or a
/// negative number if they cannot be read.
extern "C" __attribute__((import_module("heapcheck"), import_name("read"))) std::int32_t heapcheck_read(
    std::uint32_t source, double offset, std::uint8_t* to, std::uint32_t byte_count);

namespace heapcheck::wasm {
namespace {

using Response = Result<std::string>;

/// A dump that the caller opened, with the report from checking it, which answers and pages need.
struct OpenedDump {
  Dump dump;
  std::string name;
  std::optional<Report> report = {};
};

std::map<std::uint32_t, OpenedDump> opened;
std::uint32_t next_dump = 1;
std::string request_text;
std::string response_text;

std::unexpected<Error> refuse(ErrorKind kind, std::string why) {
  return std::unexpected(Error{kind, std::move(why)});
}

Result<OpenedDump*> find_dump(std::uint64_t number) {
  const auto found = opened.find(static_cast<std::uint32_t>(number));
  if (found == opened.end()) return refuse(ErrorKind::unsupported, "the dump is not open");
  return &found->second;
}

template <class Write>
std::string make_document(const Write& write) {
  std::string out;
  core::JsonWriter json(out);
  json.begin_object();
  write(json);
  json.end_object();
  return out;
}

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
  auto dump = open_source(std::move(source), options);
  if (!dump) return std::unexpected(dump.error());
  const std::uint32_t handle = next_dump++;
  const OpenedDump& added = opened.try_emplace(handle, std::move(*dump), request.text("name")).first->second;
  return make_document([&](core::JsonWriter& json) {
    json.member("dump", std::uint64_t{handle});
    json.member("format", slug_of(added.dump.format()));
    json.member("title", added.dump.title());
    json.member("is_compressed", added.dump.compression() != Compression::none);
  });
}

Response close_dump(const Request& request) {
  opened.erase(static_cast<std::uint32_t>(request.count("dump")));
  return std::string("{}");
}

Response check_dump(const Request& request) {
  auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const std::string reader = request.text("for");
  const Report report = validate((*dump)->dump, {.reader = reader});
  if (reader.empty()) (*dump)->report = report;
  const NamedReport named{.name = (*dump)->name, .report = &report, .reader = reader};
  return make_json({&named, 1}, reader);
}

/// The numbers of the dumps that a question or page is about.
std::vector<std::string> dumps_of(const Request& request) {
  const auto found = request.values.find("dumps");
  const auto* const numbers =
      found == request.values.end() ? nullptr : std::get_if<std::vector<std::string>>(&found->second);
  return numbers == nullptr ? std::vector<std::string>() : *numbers;
}

/// A dump for a question or page. It is checked first. Errors: those of find_obstacle().
Result<OpenedDump*> find_sound(const std::string& number) {
  auto dump = find_dump(std::strtoul(number.c_str(), nullptr, 10));
  if (!dump) return dump;
  if (!(*dump)->report) (*dump)->report = validate((*dump)->dump);
  if (auto obstacle = find_obstacle(*(*dump)->report)) return std::unexpected(std::move(*obstacle));
  return dump;
}

Response answer(const Request& request) {
  const std::vector<std::string> dumps = dumps_of(request);
  auto question = Question::make(request.text("question"), request.options, dumps.size());
  if (!question) return std::unexpected(question.error());
  for (const std::string& number : dumps) {
    const auto dump = find_sound(number);
    if (!dump) return std::unexpected(dump.error());
    if (const auto added = question->add((*dump)->name, (*dump)->dump); !added)
      return std::unexpected(added.error());
  }
  const auto answer = question->finish();
  if (!answer) return std::unexpected(answer.error());
  return to_json(*answer);
}

Response make_page(const Request& request) {
  HeapPage page;
  for (const std::string& number : dumps_of(request)) {
    const auto dump = find_sound(number);
    if (!dump) return std::unexpected(dump.error());
    if (const auto added = page.add((*dump)->dump, *(*dump)->report, (*dump)->name); !added)
      return std::unexpected(added.error());
  }
  return request.flag("json") ? page.make_json() : page.make_page();
}

void write_losses(core::JsonWriter& json, std::span<const Loss> losses) {
  json.begin_array("losses");
  for (const Loss& loss : losses) {
    json.begin_object();
    json.member("what", loss.what);
    json.member("count", loss.count);
    json.member("reason", loss.reason);
    json.end_object();
  }
  json.end_array();
}

Response convert_dump(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const auto target = find_target(request.text("to"));
  if (!target) return refuse(ErrorKind::unsupported, "there is no target " + request.text("to"));
  const auto done = convert(
      (*dump)->dump, request.text("output"), *target,
      {.allow_loss = request.flag("allow_loss"), .level = static_cast<int>(request.count("level", 9))});
  if (!done) return std::unexpected(done.error());
  return make_document([&](core::JsonWriter& json) {
    json.member("is_written", done->is_written);
    write_losses(json, done->losses);
  });
}

Response recover_dump(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const auto done = recover((*dump)->dump, request.text("output"),
                            {.target = find_target(request.text("to")),
                             .allow_loss = request.flag("allow_loss"),
                             .level = static_cast<int>(request.count("level", 9))});
  if (!done) return std::unexpected(done.error());
  return make_document([&](core::JsonWriter& json) {
    json.member("is_written", done->is_written);
    json.member("has_lost", done->has_lost);
    write_losses(json, done->losses);
  });
}

Response give_output(const Request& request) {
  const std::vector<std::uint8_t> bytes = wasm::take_output(request.text("output"));
  return std::string(bytes.begin(), bytes.end());
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

using Function = Response (*)(const Request&);

const std::map<std::string, Function, std::less<>> functions{
    {"open", open_dump},       {"close", close_dump},   {"validate", check_dump},
    {"ask", answer},           {"page", make_page},     {"convert", convert_dump},
    {"recover", recover_dump}, {"output", give_output}, {"questions", list_questions}};

Response call() {
  const auto request = parse_request(request_text);
  if (!request) return std::unexpected(request.error());
  const auto function = functions.find(request->text("call"));
  if (function == functions.end())
    return refuse(ErrorKind::unsupported, "there is no function " + request->text("call"));
  return function->second(*request);
}

}  // namespace

/// Makes room for the text of the next request. Returns its place.
HEAPCHECK_EXPORT("reserve") char* reserve(std::uint32_t byte_count) {
  request_text.resize(byte_count);
  return request_text.data();
}

/// Answers the request. Returns 0, or the number of the kind of error, counted from 1; the response is then
/// its message.
HEAPCHECK_EXPORT("call") std::int32_t call_function() {
  try {
    Response response = call();
    if (response) {
      response_text = std::move(*response);
      return 0;
    }
    response_text = std::move(response.error().message);
    return static_cast<std::int32_t>(response.error().kind) + 1;
  } catch (const std::bad_alloc&) {
    response_text = "needs more memory than WebAssembly has";
    return static_cast<std::int32_t>(ErrorKind::limit) + 1;
  }
}

HEAPCHECK_EXPORT("response_data") const char* response_data() { return response_text.data(); }
HEAPCHECK_EXPORT("response_size") std::uint32_t response_size() {
  return static_cast<std::uint32_t>(response_text.size());
}
/// Releases the memory of the response.
HEAPCHECK_EXPORT("drop_response") void drop_response() { response_text = {}; }

}  // namespace heapcheck::wasm
