// Prints the answer to a question about a dump as JSON: ask FILE
#include <heapcheck/ask.hpp>

#include <iostream>

int fail(const heapcheck::Error& error) {
  std::cerr << error.message << '\n';
  return 4;
}

int main(int argc, char** argv) {
  const auto dump = heapcheck::open(argc == 2 ? argv[1] : "-");
  if (!dump) return fail(dump.error());
  // What to look at first: all that retains at least a tenth of the heap, with the paths that lead there.
  const auto answer = heapcheck::ask(*dump, "suspects", {{"share", std::uint64_t{10}}});
  if (!answer) return fail(answer.error());
  std::cout << heapcheck::to_json(*answer);
}
