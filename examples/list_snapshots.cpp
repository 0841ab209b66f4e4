// Lists the snapshots of a dump of any format: list_snapshots FILE
#include <heapcheck/dump.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: list_snapshots FILE\n";
    return 2;
  }
  const auto dump = heapcheck::open(argv[1]);
  if (!dump) {
    std::cerr << argv[1] << ": " << dump.error().message << '\n';
    return 4;
  }
  std::cout << dump->title() << '\n';
  for (const heapcheck::Snapshot& snapshot : dump->snapshots()) {
    std::cout << snapshot.index() << ": " << snapshot.node_count() << " nodes, " << snapshot.edge_count()
              << " edges, " << snapshot.byte_count() << " bytes\n";
  }
}
