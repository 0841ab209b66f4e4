#include "convert/chrome/trace_writer.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "convert/chrome/heaps_v2/profile.hpp"
#include "convert/chrome/legacy/profile.hpp"
#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::conversion::chrome {
namespace {

namespace v2 = heapcheck::chrome::heaps_v2;
namespace old = heapcheck::chrome::legacy;

class LegacyWriter final : public TraceWriter {
 public:
  explicit LegacyWriter(legacy::FromProfile made) : made_(std::move(made)) {
    for (const old::Process& process : made_.model.processes) {
      for (const old::Dump& dump : process.dumps) dumps_[dump.head.index] = {&process, &dump};
    }
  }

  Result<void> write_events(core::ByteSink& out) const override {
    return old::write_events(made_.model, out);
  }

  [[nodiscard]] chrome::Replacement make_replacement() const override {
    chrome::Replacement replacement;
    replacement.make_member = [this](std::uint64_t event) {
      std::string text = "\"heaps\":";
      old::write_heaps(*dumps_.at(event).dump, made_.model.ids, text);
      return text;
    };
    replacement.make_event = [this](std::uint64_t event) {
      std::string text;
      old::write_dump_event(*dumps_.at(event).process, *dumps_.at(event).dump, made_.model.ids, text);
      return text;
    };
    for (const old::Process& process : made_.model.processes) {
      std::string text;
      old::write_names(made_.model, process, text);
      if (!text.empty()) replacement.appended.push_back(std::move(text));
    }
    return replacement;
  }

  [[nodiscard]] std::vector<Loss> losses() const override { return made_.losses; }

 private:
  struct Place {
    const old::Process* process;
    const old::Dump* dump;
  };

  legacy::FromProfile made_;
  std::unordered_map<std::uint64_t, Place, core::KeyedHash> dumps_;  // by event
};

class HeapsV2Writer final : public TraceWriter {
 public:
  HeapsV2Writer(v2::Model model, std::vector<std::string> names)
      : model_(std::move(model)), names_(std::move(names)) {
    for (const v2::Dump& dump : model_.dumps) dumps_[dump.head.index] = &dump;
  }

  Result<void> write_events(core::ByteSink& out) const override {
    std::string text = fmt::format("{}", fmt::join(names_, ",\n"));
    for (const v2::Dump& dump : model_.dumps) {
      if (!text.empty() || &dump != model_.dumps.data()) text += ",\n";
      v2::append_event(model_, dump, text);
      if (auto wrote = out.write(core::as_bytes(text)); !wrote) return wrote;
      text.clear();
    }
    return out.write(core::as_bytes(text));
  }

  [[nodiscard]] chrome::Replacement make_replacement() const override {
    chrome::Replacement replacement;
    replacement.make_member = [this](std::uint64_t event) {
      std::string text = "\"heaps_v2\":";
      v2::append_heaps_v2(model_, *dumps_.at(event), text);
      return text;
    };
    replacement.make_event = [this](std::uint64_t event) {
      std::string text;
      v2::append_event(model_, *dumps_.at(event), text);
      return text;
    };
    return replacement;
  }

 private:
  v2::Model model_;
  std::vector<std::string> names_;                                             // events `process_name`
  std::unordered_map<std::uint64_t, const v2::Dump*, core::KeyedHash> dumps_;  // by event
};

std::string make_name_event(const chrome::Process& process) {
  std::string text;
  core::JsonWriter name(text);
  name.string(process.name);
  return fmt::format(
      R"({{"args":{{"name":{}}},"cat":"__metadata","name":"process_name","ph":"M","pid":{},"tid":0,"ts":0}})",
      text, process.pid);
}

std::vector<std::string> make_name_events(const chrome::Profile& profile) {
  std::vector<std::string> events;
  for (const chrome::Process& process : profile.processes) {
    if (!process.name.empty()) events.push_back(make_name_event(process));
  }
  return events;
}

}  // namespace

Meaning make_profile(const formats::Trace& trace) {
  Meaning meaning = trace.format() == Format::chrome_legacy ? legacy::to_profile(trace.legacy)
                                                            : heaps_v2::to_profile(trace.heaps_v2);
  for (chrome::Process& process : meaning.profile.processes) {
    const auto name = trace.process_names.find(process.pid);
    if (name != trace.process_names.end()) process.name = name->second;
  }
  return meaning;
}

Result<std::unique_ptr<TraceWriter>> make_trace_writer(Format format, const chrome::Profile& profile,
                                                       const legacy::CutOff& cut_off, const Limits& limits) {
  if (format == Format::heaps_v2)
    return std::make_unique<HeapsV2Writer>(heaps_v2::from_profile(profile), make_name_events(profile));
  auto made = legacy::from_profile(profile, cut_off, limits);
  if (!made) return std::unexpected(made.error());
  return std::make_unique<LegacyWriter>(std::move(*made));
}

std::unique_ptr<TraceWriter> make_trace_writer(old::Model model,
                                               const std::map<std::int64_t, std::string>& process_names) {
  for (old::Process& process : model.processes) {
    const auto name = process_names.find(process.pid);
    if (name != process_names.end()) process.name = name->second;
  }
  return std::make_unique<LegacyWriter>(legacy::FromProfile{std::move(model), {}});
}

Result<void> write_trace(const TraceWriter& writer, core::ByteSink& out) {
  if (auto wrote = out.write(core::as_bytes("{\"traceEvents\":[\n")); !wrote) return wrote;
  if (auto wrote = writer.write_events(out); !wrote) return wrote;
  return out.write(core::as_bytes("\n]}\n"));
}

}  // namespace heapcheck::conversion::chrome
