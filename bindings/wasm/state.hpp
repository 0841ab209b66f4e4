// The dumps that the caller opened, and what all functions of the module share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bindings/wasm/request.hpp"
#include "formats/core/output/json_writer.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::wasm {

using Response = Result<std::string>;

/// A dump that the caller opened, with the report from checking it, which answers and pages need.
struct OpenedDump {
  Dump dump;
  std::string name;
  std::optional<Report> report = {};
};

/// The opened dumps by their numbers.
std::map<std::uint32_t, OpenedDump>& opened_dumps();
/// The dump with that number. Errors: unsupported if it is not open.
Result<OpenedDump*> find_dump(std::uint64_t number);
/// The report on the dump with all rules. The dump is checked first, unless that was done before.
const Report& report_on(OpenedDump& dump);
/// Keeps the report for report_on(), unless the options leave something out of it.
void keep_report(OpenedDump& dump, const Report& report, const ValidateOptions& options);
/// The options for a check, from the members of a request.
ValidateOptions make_validate_options(const Request& request);

inline std::unexpected<Error> refuse(ErrorKind kind, std::string why) {
  return std::unexpected(Error{kind, std::move(why)});
}

/// One JSON object, whose members `write` writes.
template <class Write>
std::string make_document(const Write& write) {
  std::string out;
  core::JsonWriter json(out);
  json.begin_object();
  write(json);
  json.end_object();
  return out;
}

}  // namespace heapcheck::wasm
