// Text made up of pieces of an input, joined by short strings. The input is a file, which is read once, and a
// list of pieces. The output is the text as a source of bytes. One window is kept in memory.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::recovery::chrome {

/// A short string, and the bytes of the input that follow it.
struct Piece {
  std::string_view text;  ///< has static storage duration
  Span span;              ///< its place in the input
};

/// Builds the list of pieces that make up a JSON document without some of its elements and members.
class PieceList {
 public:
  /// Keeps the bytes from the last kept byte to `end`.
  void extend(std::uint64_t end) { pieces_.back().span.length = end - pieces_.back().span.offset; }
  /// Records that the bytes between the last kept byte and the next one are left out.
  void leave_gap() { has_gap_ = true; }
  /// Keeps an element or a member, with the comma before it.
  void keep(Span item);
  /// Adds the opening quote of a member whose name begins at `offset` without a quote, and the comma before
  /// it.
  void add_quote(std::uint64_t offset);
  /// Keeps the bracket that closes an array or an object.
  void close(std::uint64_t offset);
  /// Adds a closing bracket that the input does not have.
  void add_bracket(bool is_object) { pieces_.push_back({is_object ? "\n}\n" : "\n]\n", {end(), 0}}); }
  /// Enters an array or object. The next item is the first one in it.
  void enter() { needs_comma_ = false; }

  [[nodiscard]] std::size_t count() const { return pieces_.size(); }
  [[nodiscard]] std::vector<Piece> take() { return std::move(pieces_); }

 private:
  [[nodiscard]] std::uint64_t end() const { return pieces_.back().span.end(); }

  std::vector<Piece> pieces_{{}};
  bool has_gap_ = false;
  bool needs_comma_ = false;  // whether the next item is not the first one
};

/// The text made up of `pieces`, which are in the order of the input. Borrows the input and the pieces.
/// Errors: any error of the input; unreadable if the input is now shorter.
class PieceSource final : public core::ByteSource {
 public:
  PieceSource(core::ByteSource& input, std::span<const Piece> pieces) : window_(input), pieces_(pieces) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override;

 private:
  Result<std::size_t> read_input(Span span, core::MutableByteSpan buffer);

  core::Window window_;
  std::span<const Piece> pieces_;
  std::uint64_t done_ = 0;  // the number of bytes of the first piece that were read
};

}  // namespace heapcheck::recovery::chrome
