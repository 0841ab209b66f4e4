#include "formats/core/keyed_hash.hpp"

#include <array>
#include <set>
#include <string>
#include <vector>

#include "heapcheck/validate.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using core::HashKey;

namespace {

/// Sets the key of the process until the end of the scope.
class KeyForScope {
 public:
  explicit KeyForScope(const HashKey& key) : before_(core::hash_key()) { core::hash_key() = key; }
  KeyForScope(const KeyForScope&) = delete;
  KeyForScope& operator=(const KeyForScope&) = delete;
  ~KeyForScope() { core::hash_key() = before_; }

 private:
  HashKey before_;
};

constexpr std::array<HashKey, 3> keys{HashKey{0x0706050403020100, 0x0F0E0D0C0B0A0908},
                                      HashKey{0x8899AABBCCDDEEFF, 0x7766554433221100},
                                      HashKey{0x0123456789ABCDEF, 0xFEDCBA9876543210}};

}  // namespace

TEST_CASE("SipHash agrees with the vectors of its authors", "[core][hash]") {
  const HashKey key{0x0706050403020100, 0x0F0E0D0C0B0A0908};
  std::vector<std::uint8_t> bytes;
  CHECK(core::sip_hash<2, 4>(key, bytes) == 0x726FDB47DD0E0E31);
  for (std::uint8_t i = 0; i < 15; ++i) bytes.push_back(i);
  CHECK(core::sip_hash<2, 4>(key, core::ByteSpan(bytes).first(8)) == 0x93F5F5799A932462);
  CHECK(core::sip_hash<2, 4>(key, bytes) == 0xA129CA6149BE45E5);
}

TEST_CASE("every process has a key of its own", "[core][hash]") {
  const HashKey first = core::make_random_key();
  const HashKey second = core::make_random_key();
  CHECK(first[0] != second[0]);
  CHECK(first[1] != second[1]);
  CHECK(first[0] != first[1]);
}

TEST_CASE("the hash of a text and of a number depends on the key", "[core][hash]") {
  std::set<std::size_t> hashes;
  for (const HashKey& key : keys) {
    const KeyForScope scope(key);
    hashes.insert(core::KeyedHash{}("name"));
    hashes.insert(core::KeyedHash{}(std::uint64_t{42}));
    hashes.insert(core::KeyedHash::combine(7, 42));
  }
  CHECK(hashes.size() == 3 * keys.size());
}

TEST_CASE("reports do not depend on the key", "[core][hash]") {
  const std::string folder =
      GENERATE("mvmheap/v1", "mvmheap/v3", "chrome/legacy", "chrome/heaps_v2", "v8/heapsnapshot");
  for (const auto& entry : tests::fs::directory_iterator(tests::root / "corpus" / folder / "case")) {
    const std::string file = entry.path().filename();
    const std::string text = tests::read(entry.path());
    std::set<std::string> reports;
    for (const HashKey& key : keys) {
      const KeyForScope scope(key);
      const Report report = tests::check(text);
      const std::vector<NamedReport> named{{file, &report}};
      reports.insert(make_json(named));
    }
    INFO(file);
    CHECK(reports.size() == 1);
  }
}
