// Writes a dump in another format of its family, such as mvmheap-v2: convert IN OUT FORMAT
#include <heapcheck/convert.hpp>

#include <iostream>

int main(int argc, char** argv) {
  const auto target = argc == 4 ? heapcheck::find_target(argv[3]) : std::nullopt;
  if (!target) {
    std::cerr << "usage: convert IN OUT FORMAT\n";
    return 2;
  }
  const auto done = heapcheck::convert(argv[1], argv[2], *target, {.allow_loss = true});
  if (!done) {
    std::cerr << argv[1] << ": " << done.error().message << '\n';
    return 4;
  }
  if (!done->is_written) {
    std::cerr << argv[1] << ": " << heapcheck::name_of(done->report.verdict) << '\n';
    return 1;
  }
  for (const heapcheck::Amount& amount : done->amounts) {
    std::cout << amount.count << ' ' << amount.what << '\n';
  }
  for (const heapcheck::Loss& loss : done->losses) {
    std::cout << "lost: " << loss.count << ' ' << loss.what << " (" << loss.reason << ")\n";
  }
}
