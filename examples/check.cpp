// Checks a dump of any format and prints all findings: check FILE
#include <heapcheck/validate.hpp>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: check FILE\n";
    return 2;
  }
  const heapcheck::Report report = heapcheck::validate(argv[1]);
  if (report.verdict == heapcheck::Verdict::unreadable) {
    std::cerr << argv[1] << ": " << report.error << '\n';
    return 4;
  }
  for (const heapcheck::Finding& finding : report.findings) {
    std::cout << "byte " << finding.location.file.offset << ", " << finding.location.path << ": "
              << finding.message << " [" << finding.rule->id << "]\n";
  }
  std::cout << heapcheck::name_of(report.verdict) << '\n';
  return report.verdict == heapcheck::Verdict::valid ? 0 : 1;
}
