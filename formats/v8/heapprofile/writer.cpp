#include "formats/v8/heapprofile/writer.hpp"

#include <string>

#include "formats/core/output/json_writer.hpp"
#include "formats/v8/heapprofile/layout.hpp"

namespace heapcheck::v8::heapprofile {
namespace {

class Writer {
 public:
  Writer(const Profile& profile, core::ByteSink& out) : profile_(&profile), out_(&out), json_(text_) {}

  Result<void> write() {
    json_.begin_object();
    if (auto done = write_tree(); !done) return done;
    if (profile_->has_samples) {
      if (auto done = write_samples(); !done) return done;
    }
    json_.end_object();
    return flush();
  }

 private:
  Result<void> write_tree() {
    const Nodes& nodes = profile_->nodes;
    if (nodes.count() == 0) return {};
    json_.key("head");
    NodeIndex open = no_parent;  // the node whose children are being written
    for (std::size_t i = 0; i < nodes.count(); ++i) {
      for (; open != nodes.parent[i]; open = nodes.parent[row_of(open)]) end_node();
      begin_node(i);
      open = NodeIndex{static_cast<std::uint32_t>(i)};
      if (auto done = flush_if_large(); !done) return done;
    }
    for (; open != no_parent; open = nodes.parent[row_of(open)]) end_node();
    return {};
  }

  /// Writes everything up to the array of children, which remains open.
  void begin_node(std::size_t i) {
    const Nodes& nodes = profile_->nodes;
    json_.begin_object();
    json_.begin_object("callFrame");
    write_text("functionName", nodes.function_name[i]);
    write_text("scriptId", nodes.script_id[i]);
    write_text("url", nodes.url[i]);
    write_position("lineNumber", nodes.line[i]);
    write_position("columnNumber", nodes.column[i]);
    json_.end_object();
    json_.member("selfSize", nodes.self_size[i]);
    if (nodes.id[i] != no_id) json_.member("id", nodes.id[i]);
    json_.begin_array("children");
  }
  void end_node() {
    json_.end_array();
    json_.end_object();
  }

  Result<void> write_samples() {
    const Samples& samples = profile_->samples;
    json_.begin_array("samples");
    for (std::size_t i = 0; i < samples.count(); ++i) {
      json_.begin_object();
      json_.member("size", samples.size[i]);
      json_.member("nodeId", samples.node_id[i]);
      json_.member("ordinal", samples.ordinal[i]);
      json_.end_object();
      if (auto done = flush_if_large(); !done) return done;
    }
    json_.end_array();
    return {};
  }

  void write_text(std::string_view name, core::PoolIndex text) {
    if (text != no_text) json_.member(name, profile_->strings[text]);
  }
  void write_position(std::string_view name, std::int32_t position) {
    if (position != no_position) json_.member(name, std::int64_t{position});
  }

  Result<void> flush_if_large() {
    constexpr std::size_t large = std::size_t{1} << 16;
    return text_.size() < large ? Result<void>() : flush();
  }
  Result<void> flush() {
    auto done = out_->write(core::as_bytes(text_));
    text_.clear();
    return done;
  }

  const Profile* profile_;
  core::ByteSink* out_;
  std::string text_;
  core::JsonWriter json_;
};

}  // namespace

Result<void> write_profile(const Profile& profile, core::ByteSink& out) {
  return Writer(profile, out).write();
}

}  // namespace heapcheck::v8::heapprofile
