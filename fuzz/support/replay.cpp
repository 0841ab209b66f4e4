// Runs a fuzz target on files, and on all files below folders, where there is no libFuzzer. A
// property that does not hold aborts the process, after the file was named.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
}

bool replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be opened\n", path.c_str());
    return false;
  }
  std::fprintf(stderr, "%s\n", path.c_str());
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  // A copy of its very size, so that a sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> bytes(content.begin(), content.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2 || arguments[1][0] == '-') {
    std::fprintf(stderr,
                 "usage: %s FILE|FOLDER...\n\nRuns the fuzz target on each; libFuzzer's options need the "
                 "preset `fuzz`.\n",
                 arguments[0]);
    return 2;
  }
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) add_files(arguments[i], files);
  std::ranges::sort(files);
  const auto replayed = std::ranges::count_if(files, replay);
  std::printf("%td of %zu inputs replayed\n", replayed, files.size());
  const bool all = replayed != 0 && static_cast<std::size_t>(replayed) == files.size();
  return all ? 0 : 1;
}
