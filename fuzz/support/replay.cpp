// Runs a fuzz target on files and on all files in folders, in builds without libFuzzer. The name by which the
// program is called selects the target. If a property fails, the process prints the file name and aborts.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/support/replay_targets.hpp"

namespace {

namespace fs = std::filesystem;
using heapcheck::fuzz::ReplayTarget;

const ReplayTarget* find_target(const std::string& name) {
  const auto targets = heapcheck::fuzz::replay_targets();
  const auto found = std::ranges::find(targets, name, &ReplayTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
}

bool replay(const ReplayTarget& target, const fs::path& path) {
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
  // This is a copy of exactly this size, so that a sanitizer detects reads past its end.
  const std::vector<std::uint8_t> bytes(content.begin(), content.end());
  target.run(bytes.data(), bytes.size());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const ReplayTarget* target = find_target(fs::path(arguments[0]).filename().string());
  if (target == nullptr || count < 2 || arguments[1][0] == '-') {
    std::fprintf(
        stderr,
        "usage: %s FILE|FOLDER...\n\nRuns the fuzz target of that name on each file. libFuzzer's options "
        "need the preset `fuzz`.\n",
        target == nullptr ? "fuzz_..." : arguments[0]);
    return 2;
  }
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) add_files(arguments[i], files);
  std::ranges::sort(files);
  const auto replayed =
      std::ranges::count_if(files, [target](const fs::path& path) { return replay(*target, path); });
  std::printf("inputs replayed: %td of %zu\n", replayed, files.size());
  const bool all = replayed != 0 && static_cast<std::size_t>(replayed) == files.size();
  return all ? 0 : 1;
}
