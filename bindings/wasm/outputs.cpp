#include "bindings/wasm/outputs.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "bindings/wasm/system/files.hpp"
#include "heapcheck/convert.hpp"
#include "heapcheck/recover.hpp"

namespace heapcheck::wasm {
namespace {

void write_losses(core::JsonWriter& json, std::string_view key, const std::vector<Loss>& losses) {
  write_rows(json, key, losses, [](core::JsonWriter& row, const Loss& loss) {
    row.member("what", loss.what);
    row.member("count", loss.count);
    row.member("reason", loss.reason);
  });
}

void write_amounts(core::JsonWriter& json, std::string_view key, const std::vector<Amount>& amounts) {
  write_rows(json, key, amounts, [](core::JsonWriter& row, const Amount& amount) {
    row.member("what", amount.what);
    row.member("count", amount.count);
    row.member("is_least", amount.is_least);
  });
}

}  // namespace

Response convert_dump(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const auto target = find_target(request.text("to"));
  if (!target) return refuse(ErrorKind::unsupported, "there is no target " + request.text("to"));
  ConvertOptions options{.allow_loss = request.flag("allow_loss"),
                         .level = static_cast<int>(request.count("level", 9)),
                         .keep_trace = request.flag("keep_trace"),
                         .share = request.share("share")};
  if (request.values.contains("threshold")) options.threshold = request.count("threshold");
  const auto done = convert((*dump)->dump, request.text("output"), *target, options);
  if (!done) return std::unexpected(done.error());
  return make_document([&](core::JsonWriter& json) {
    json.member("is_written", done->is_written);
    write_amounts(json, "amounts", done->amounts);
    write_losses(json, "losses", done->losses);
    write_losses(json, "asked_for", done->asked_for);
  });
}

Response recover_dump(const Request& request) {
  const auto dump = find_dump(request.count("dump"));
  if (!dump) return std::unexpected(dump.error());
  const std::string to = request.text("to");
  const auto target = find_target(to);
  if (!target && !to.empty()) return refuse(ErrorKind::unsupported, "there is no target " + to);
  const auto done = recover((*dump)->dump, request.text("output"),
                            {.target = target,
                             .allow_loss = request.flag("allow_loss"),
                             .placeholder_names = request.flag("placeholder_names"),
                             .level = static_cast<int>(request.count("level", 9))});
  if (!done) return std::unexpected(done.error());
  // The summary has the names that the caller gives the files.
  const std::string target_name = request.text("target_name");
  return make_document([&](core::JsonWriter& json) {
    json.member("is_refused", done->is_refused);
    json.member("text", make_text(*done, target_name));
    json.member("json", make_json(*done, (*dump)->name, target_name));
  });
}

Response give_output(const Request& request) {
  const std::string name = request.text("output");
  if (!request.values.contains("byte_count")) {
    const std::vector<std::uint8_t> bytes = take_output(name);
    return std::string(bytes.begin(), bytes.end());
  }
  const std::span<const std::uint8_t> all = view_output(name);
  const auto rest = all.subspan(std::min<std::uint64_t>(request.count("offset"), all.size()));
  const auto part = rest.first(std::min<std::uint64_t>(request.count("byte_count"), rest.size()));
  std::string bytes(part.begin(), part.end());
  if (part.size() == rest.size()) (void)take_output(name);
  return bytes;
}

}  // namespace heapcheck::wasm
