// Reads a JSON file with RapidJSON's events, and keeps all integers and strings:
//   bench_rapidjson FILE
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Keeper : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Keeper> {
  bool Uint(unsigned number) { return Uint64(number); }
  bool Uint64(std::uint64_t number) {
    numbers.push_back(number);
    return true;
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    texts.append(text, length);
    ends.push_back(texts.size());
    return true;
  }

  std::vector<std::uint64_t> numbers;
  std::string texts;
  std::vector<std::size_t> ends;
};

bool read(std::FILE* file) {
  constexpr std::size_t buffer_bytes = 65536;
  const std::unique_ptr<char[]> buffer(new char[buffer_bytes]);
  rapidjson::FileReadStream stream(file, buffer.get(), buffer_bytes);
  rapidjson::Reader reader;
  Keeper keeper;
  return !reader.Parse(stream, keeper).IsError() && !keeper.numbers.empty() && !keeper.ends.empty();
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* const file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
  if (file == nullptr) {
    std::fputs("usage: bench_rapidjson FILE\n", stderr);
    return 2;
  }
  const bool is_read = read(file);
  std::fclose(file);
  return is_read ? 0 : 1;
}
