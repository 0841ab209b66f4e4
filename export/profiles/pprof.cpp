#include "export/writers.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analyze/stacks.hpp"
#include "export/buffer.hpp"
#include "export/profiles/stacks.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/text/utf8.hpp"

namespace heapcheck::exports::profiles {
namespace {

/// Compresses its input with gzip and passes it to another sink, which it borrows. The same bytes always
/// produce the same result, because the header contains neither a name nor a time.
class GzipSink final : public core::ByteSink {
 public:
  explicit GzipSink(core::ByteSink& sink);

  Result<void> write(core::ByteSpan bytes) override;
  /// Writes the rest. Call this once. Errors: any error of the sink.
  Result<void> finish();

 private:
  Result<void> deflate(core::ByteSpan bytes, int flush);

  struct End {
    void operator()(z_stream* stream) const {
      ::deflateEnd(stream);
      delete stream;
    }
  };
  std::unique_ptr<z_stream, End> stream_;
  core::ByteSink* sink_;
};

GzipSink::GzipSink(core::ByteSink& sink) : stream_(new z_stream{}), sink_(&sink) {
  constexpr int gzip_window = 15 + 16;  // the largest window, with the header of gzip
  constexpr int usual_memory = 8;
  if (::deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

Result<void> GzipSink::write(core::ByteSpan bytes) { return deflate(bytes, Z_NO_FLUSH); }

Result<void> GzipSink::finish() { return deflate({}, Z_FINISH); }

Result<void> GzipSink::deflate(core::ByteSpan bytes, int flush) {
  std::array<std::uint8_t, 64 << 10> out;
  stream_->next_in = const_cast<Bytef*>(bytes.data());  // zlib does not change the input
  stream_->avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_->next_out = out.data();
    stream_->avail_out = static_cast<uInt>(out.size());
    ::deflate(stream_.get(), flush);
    const core::ByteSpan made(out.data(), out.size() - stream_->avail_out);
    if (auto done = sink_->write(made); !made.empty() && !done) return done;
  } while (stream_->avail_out == 0);
  return {};
}

using protozero::pbf_writer;

// The numbers of the fields.
namespace profile_field {
enum : std::uint32_t {
  sample_type = 1,
  sample = 2,
  location = 4,
  function = 5,
  string_table = 6,
  comment = 13,
  default_sample_type = 14
};
}
namespace type_field {
enum : std::uint32_t { type = 1, unit = 2 };
}
namespace sample_field {
enum : std::uint32_t { location_id = 1, value = 2, label = 3 };
}
namespace label_field {
enum : std::uint32_t { key = 1, str = 2 };
}
namespace location_field {
enum : std::uint32_t { id = 1, line = 4 };
}
namespace line_field {
enum : std::uint32_t { function_id = 1, line = 2, column = 3 };
}
namespace function_field {
enum : std::uint32_t { id = 1, name = 2, filename = 4, start_line = 5 };
}

/// The first strings in the table, before the strings of the profile. The very first must be empty.
constexpr std::string_view own_strings[] = {"",     "inuse_objects", "count",         "inuse_space", "bytes",
                                            "type", "allocator",     "alloc_objects", "alloc_space"};
enum OwnString : std::int64_t {
  empty_text,
  inuse_objects,
  count_unit,
  inuse_space,
  bytes_unit,
  type_key,
  allocator_key,
  alloc_objects,
  alloc_space
};

std::int64_t number_of_text(std::uint32_t text) {
  return static_cast<std::int64_t>(std::size(own_strings)) + text;
}

class PprofWriter {
 public:
  PprofWriter(const AllocationProfile& profile, core::ByteSink& sink)
      : profile_(profile), gzip_(sink), buffer_(gzip_) {}

  Result<Written> write() {
    if (has_allocated(profile_)) {
      add_type(alloc_objects, count_unit);
      add_type(alloc_space, bytes_unit);
    }
    if (has_counts(profile_)) add_type(inuse_objects, count_unit);
    add_type(inuse_space, bytes_unit);
    if (has_allocated(profile_))
      add_places();
    else
      add_samples();
    add_functions();
    add_strings();
    add_comment();
    pbf_writer(buffer_.pending).add_int64(profile_field::default_sample_type, inuse_space);
    if (auto done = buffer_.finish(); !done) return std::unexpected(done.error());
    if (auto done = gzip_.finish(); !done) return std::unexpected(done.error());
    if (limited_ != 0) written_.losses.push_back({"numbers", limited_, "limited to 2^63 - 1"});
    if (repaired_ != 0)
      written_.losses.push_back({"strings", repaired_, "bytes that are not UTF-8 became U+FFFD"});
    return std::move(written_);
  }

 private:
  void add_type(OwnString type, OwnString unit) {
    pbf_writer message(buffer_.pending);
    pbf_writer made(message, profile_field::sample_type);
    made.add_int64(type_field::type, type);
    made.add_int64(type_field::unit, unit);
  }

  /// Adds a sample for each row of memory.
  void add_samples() {
    for (std::size_t row = 0; row < profile_.place.size() && buffer_.flush_if_full(); ++row) {
      if (profile_.size[row] == 0 && count_of(row) == 0) continue;
      std::vector<std::int64_t> values;
      if (has_counts(profile_)) values.push_back(limit_value(count_of(row)));
      values.push_back(limit_value(profile_.size[row]));
      pbf_writer message(buffer_.pending);
      pbf_writer sample(message, profile_field::sample);
      fill_sample(sample, profile_.place[row], values, profile_.size[row]);
      if (!profile_.type.empty()) add_label(sample, type_key, profile_.type[row]);
      if (!profile_.allocator.empty()) add_label(sample, allocator_key, profile_.allocator[row]);
    }
  }

  /// Adds a sample for each place that ever allocated memory, even if none of it is still alive.
  void add_places() {
    const PlaceTotals live = add_up_places(profile_);
    for (std::uint32_t place = 0; place < profile_.caller.size() && buffer_.flush_if_full(); ++place) {
      const std::uint64_t numbers[] = {profile_.allocated_count[place], profile_.allocated_size[place],
                                       live.count[place], live.size[place]};
      if (std::ranges::all_of(numbers, [](std::uint64_t number) { return number == 0; })) continue;
      std::vector<std::int64_t> values;
      for (const std::uint64_t number : numbers) values.push_back(limit_value(number));
      pbf_writer message(buffer_.pending);
      pbf_writer sample(message, profile_field::sample);
      fill_sample(sample, place, values, live.size[place]);
    }
  }

  /// A number of the profile, limited to the signed range that pprof uses.
  std::int64_t limit_value(std::uint64_t value) {
    if (value > INT64_MAX) ++limited_;
    return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX));
  }

  [[nodiscard]] std::uint64_t count_of(std::size_t row) const {
    return has_counts(profile_) ? profile_.count[row] : 0;
  }

  /// Each location is a frame, because the function is all that pprof needs to know about a place.
  void fill_sample(pbf_writer& sample, std::uint32_t place, const std::vector<std::int64_t>& values,
                   std::uint64_t size) {
    std::vector<std::uint64_t> locations;
    for (const std::uint32_t at : analyze::find_stack(profile_, place))
      locations.push_back(profile_.frame[at] + std::uint64_t{1});
    sample.add_packed_uint64(sample_field::location_id, locations.begin(), locations.end());
    sample.add_packed_int64(sample_field::value, values.begin(), values.end());
    ++written_.amounts[0].count;
    written_.amounts[1].count = core::saturating_add(written_.amounts[1].count, size);
  }

  static void add_label(pbf_writer& sample, OwnString key, std::uint32_t text) {
    pbf_writer label(sample, sample_field::label);
    label.add_int64(label_field::key, key);
    label.add_int64(label_field::str, number_of_text(text));
  }

  /// Adds one function and one location for each frame, with the index of the frame plus 1 as the id.
  void add_functions() {
    for (std::size_t i = 0; i < profile_.frames.size() && buffer_.flush_if_full(); ++i) {
      add_function(i + 1, profile_.frames[i]);
      add_location(i + 1, profile_.frames[i]);
    }
  }

  void add_function(std::uint64_t id, const StackFrame& frame) {
    pbf_writer message(buffer_.pending);
    pbf_writer function(message, profile_field::function);
    function.add_uint64(function_field::id, id);
    function.add_int64(function_field::name, number_of_text(frame.name));
    if (!script_of(profile_, frame).empty())
      function.add_int64(function_field::filename, number_of_text(frame.script));
    if (frame.line != 0) function.add_int64(function_field::start_line, frame.line);
  }

  /// The format has no line numbers for calls, so the line of a location is the first line of the function.
  void add_location(std::uint64_t id, const StackFrame& frame) {
    pbf_writer message(buffer_.pending);
    pbf_writer location(message, profile_field::location);
    location.add_uint64(location_field::id, id);
    pbf_writer line(location, location_field::line);
    line.add_uint64(line_field::function_id, id);
    if (frame.line != 0) line.add_int64(line_field::line, frame.line);
    if (frame.column != 0) line.add_int64(line_field::column, frame.column);
  }

  void add_strings() {
    for (const std::string_view text : own_strings)
      pbf_writer(buffer_.pending).add_string(profile_field::string_table, text.data(), text.size());
    for (std::size_t i = 0; i < profile_.texts.count() && buffer_.flush_if_full(); ++i) {
      const std::string_view text = profile_.texts[i];
      if (core::find_invalid_utf8(core::as_bytes(text))) ++repaired_;
      const std::string name = text.empty() ? "(anonymous)" : core::make_utf8(text);
      pbf_writer(buffer_.pending).add_string(profile_field::string_table, name);
    }
  }

  /// Names the process of a dump in a trace, in a string after all others.
  void add_comment() {
    const DumpProcess& process = profile_.process;
    if (process.name.empty()) return;
    const std::string text = core::make_utf8(describe_process(process).substr(std::string_view(", ").size()));
    pbf_writer profile(buffer_.pending);
    profile.add_string(profile_field::string_table, text);
    profile.add_int64(profile_field::comment,
                      static_cast<std::int64_t>(std::size(own_strings) + profile_.texts.count()));
  }

  const AllocationProfile& profile_;
  GzipSink gzip_;
  Buffer buffer_;
  std::uint64_t limited_ = 0;
  std::uint64_t repaired_ = 0;
  Written written_{.amounts = {{.what = "samples"}, {.what = "bytes"}}};
};

}  // namespace

Result<Written> write_pprof(const StacksInput& input, core::ByteSink& sink) {
  const WrittenStacks written =
      has_allocated(input.profile) ? WrittenStacks::of_places : WrittenStacks::of_rows;
  if (auto checked = check_stacks(input.profile, written); !checked) return std::unexpected(checked.error());
  return PprofWriter(input.profile, sink).write();
}

}  // namespace heapcheck::exports::profiles
