// Reads a JSON file into the document of "JSON for Modern C++":
//   bench_nlohmann FILE
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_nlohmann FILE\n", stderr);
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  return nlohmann::json::parse(file, nullptr, false).is_object() ? 0 : 1;
}
