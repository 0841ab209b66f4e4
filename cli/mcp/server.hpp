// Answers the requests of the protocol, one after another. Knows nothing of threads or of standard input, so
// that tests can call it.
#pragma once

#include <string>
#include <string_view>

#include "cli/mcp/message.hpp"
#include "cli/mcp/session.hpp"

namespace heapcheck::cli::mcp {

/// The revisions of the protocol, latest first. Since the first of them, there is no handshake: every request
/// names its revision.
inline constexpr std::string_view modern_version = "2026-07-28";
inline constexpr std::string_view handshake_versions[] = {"2025-11-25", "2025-06-18"};

class Server {
 public:
  Server(Roots roots, Limits limits) : session_(std::move(roots), limits) {}

  /// Answers a request. Returns the response, without a line end. Throws std::bad_alloc.
  [[nodiscard]] std::string answer(const Message& request, const Work& work);

  /// Answers one line, as if it came from standard input: also a line that is no request. Returns nothing for
  /// notifications and responses.
  [[nodiscard]] std::string answer_line(std::string_view line, const Work& work = {});

  [[nodiscard]] Session& session() { return session_; }

 private:
  Session session_;
};

}  // namespace heapcheck::cli::mcp
