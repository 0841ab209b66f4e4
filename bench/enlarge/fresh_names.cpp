#include "bench/enlarge/fresh_names.hpp"

namespace heapcheck::bench {
namespace {

bool is_between(char c, char first, char last) { return c >= first && c <= last; }

}  // namespace

std::uint64_t FreshNames::fingerprint(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

std::string FreshNames::change(std::string_view like) {
  constexpr std::uint64_t one_in = 3;  // one in this many characters is changed
  constexpr std::size_t unicode_escape = 6;
  std::string name(like);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '\\') {
      i += (i + 1 < name.size() && name[i + 1] == 'u' ? unicode_escape : 2) - 1;
      continue;
    }
    if (random_->below(one_in) != 0) continue;
    if (is_between(c, 'a', 'z')) name[i] = static_cast<char>('a' + random_->below(26));
    if (is_between(c, 'A', 'Z')) name[i] = static_cast<char>('A' + random_->below(26));
    if (is_between(c, '0', '9')) name[i] = static_cast<char>('0' + random_->below(10));
  }
  return name;
}

std::string FreshNames::make(std::string_view like) {
  constexpr int tries = 4;
  std::string name;
  for (int i = 0; i < tries; ++i) {
    name = change(like);
    if (known_.insert(fingerprint(name)).second) return name;
  }
  do {
    name = change(like) + '~' + std::to_string(added_++);
  } while (!known_.insert(fingerprint(name)).second);
  return name;
}

}  // namespace heapcheck::bench
