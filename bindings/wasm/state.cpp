#include "bindings/wasm/state.hpp"

namespace heapcheck::wasm {

std::map<std::uint32_t, OpenedDump>& opened_dumps() {
  static std::map<std::uint32_t, OpenedDump> all;
  return all;
}

Result<OpenedDump*> find_dump(std::uint64_t number) {
  const auto found = opened_dumps().find(static_cast<std::uint32_t>(number));
  if (found == opened_dumps().end()) return refuse(ErrorKind::unsupported, "the dump is not open");
  return &found->second;
}

const Report& report_on(OpenedDump& dump) {
  if (!dump.report) dump.report = validate(dump.dump);
  return *dump.report;
}

void keep_report(OpenedDump& dump, const Report& report, const ValidateOptions& options) {
  const bool is_whole = options.reader.empty() && options.select.empty() && options.ignore.empty() &&
                        options.severity.empty() && !options.hide && options.max_per_rule >= 20;
  if (is_whole) dump.report = report;
}

ValidateOptions make_validate_options(const Request& request) {
  ValidateOptions options{.reader = request.text("for"),
                          .max_per_rule = request.count("max_per_rule", 20),
                          .select = request.strings("select"),
                          .ignore = request.strings("ignore"),
                          .severity = request.strings("severity")};
  const std::string hidden = request.text("hide");
  if (hidden == "note") options.hide = Severity::note;
  if (hidden == "warning") options.hide = Severity::warning;
  return options;
}

}  // namespace heapcheck::wasm
