// The finding for an input that ended early. It is the same for all formats.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "formats/core/faults.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::core {

/// Returns whether the window's source failed. If the compression around the file is damaged or a limit was
/// reached, reports that at `place`. In case of damage, `rescued` names the part that could still be read. If
/// the file itself is unreadable or not supported, there is nothing to report, because the caller of the
/// reader checks Window::error().
inline bool report_input_failure(const Window& window, FindingSink& sink, Location place,
                                 std::string_view rescued = {}) {
  const std::optional<Error>& error = window.error();
  if (!error || (!is_limit(error->kind) && error->kind != ErrorKind::damaged)) return error.has_value();
  const bool is_damage = error->kind == ErrorKind::damaged;
  std::string message = error->message;
  if (is_damage && !rescued.empty()) message.append("; ").append(rescued);
  const bool is_timeout = error->kind == ErrorKind::timeout;
  const Rule& limit = is_timeout         ? rules::limit_time
                      : window.gave_up() ? rules::limit_search_bytes
                                         : rules::limit_input_bytes;
  sink.report({is_damage ? &rules::input_compression : &limit, std::move(place), std::move(message)});
  return true;
}

}  // namespace heapcheck::core
