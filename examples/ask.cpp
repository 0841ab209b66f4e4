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
  // The parts of the heap to look at first: everything that retains at least a tenth of the heap, each with
  // the path to it.
  const auto answer = heapcheck::ask(*dump, "suspects", {{"share", std::uint64_t{10}}});
  if (!answer) return fail(answer.error());
  std::cout << heapcheck::to_json(*answer);
}
