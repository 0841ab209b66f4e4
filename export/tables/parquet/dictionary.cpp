#include "export/tables/parquet/dictionary.hpp"

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::exports::tables::parquet {

namespace {

constexpr unsigned known_bits = 12;

/// A place in `known_`. Files cannot choose addresses, and a collision only costs time.
std::size_t find_place(std::string_view text) {
  const auto address = reinterpret_cast<std::uintptr_t>(text.data());
  return static_cast<std::size_t>((std::uint64_t{address} + text.size()) * 0x9E3779B97F4A7C15U >>
                                  (64U - known_bits));
}

}  // namespace

std::uint32_t IntegerDictionary::find_or_add(std::int64_t value) {
  if (!entries_.empty() && entries_[last_] == value) return last_;
  const auto next = static_cast<std::uint32_t>(entries_.size());
  last_ = static_cast<std::uint32_t>(table_.find_or_add(
      core::KeyedHash{}(value), next, [&](std::uint64_t number) { return entries_[number] == value; }));
  if (last_ == next) entries_.push_back(value);
  return last_;
}

void IntegerDictionary::clear() {
  entries_.clear();
  table_.clear();
  last_ = 0;
}

std::uint32_t TextDictionary::find_or_add(std::string_view text) {
  if (known_.empty()) known_.resize(std::size_t{1} << known_bits);
  Known& known = known_[find_place(text)];
  const bool is_known = known.age == age_ && known.address == text.data() && known.size == text.size();
  if (!is_known)
    known = {.address = text.data(), .size = text.size(), .number = find_content(text), .age = age_};
  return known.number;
}

std::uint32_t TextDictionary::find_content(std::string_view text) {
  const auto next = static_cast<std::uint32_t>(ends_.size());
  const auto is_same = [&](std::uint64_t other) { return entry(static_cast<std::uint32_t>(other)) == text; };
  const auto number = static_cast<std::uint32_t>(table_.find_or_add(core::KeyedHash{}(text), next, is_same));
  if (number != next) return number;
  append_plain(text, bytes_);
  ends_.push_back(bytes_.size());
  return number;
}

std::string_view TextDictionary::entry(std::uint32_t number) const {
  const std::size_t first = (number == 0 ? 0 : ends_[number - 1]) + sizeof(std::uint32_t);
  return core::as_text(core::ByteSpan(bytes_).subspan(first, ends_[number] - first));
}

void TextDictionary::forget_addresses() {
  if (++age_ != 0) return;
  known_.clear();  // otherwise, the ages of entries could become valid again
  age_ = 1;
}

void TextDictionary::clear() {
  bytes_.clear();
  ends_.clear();
  table_.clear();
  known_.clear();
}

}  // namespace heapcheck::exports::tables::parquet
