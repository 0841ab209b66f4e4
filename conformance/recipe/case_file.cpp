#include "conformance/recipe/case_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "conformance/recipe/grammar.hpp"

namespace heapcheck::conformance {
namespace {

/// One statement: a line and the lines after it that begin with a space.
struct Line {
  std::string text;
  std::size_t number = 0;
  std::size_t offset = 0;
};

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  std::size_t number = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    const std::string_view line = text.substr(offset, end - offset);
    const std::size_t first = line.find_first_not_of(' ');
    const std::size_t last = line.find_last_not_of(" \r");
    ++number;
    if (first != std::string_view::npos && line[first] != '#') {
      const std::string_view trimmed = line.substr(first, last - first + 1);
      if (first == 0 || lines.empty()) {
        lines.push_back({std::string(trimmed), number, offset});
      } else {
        lines.back().text.append(" ").append(trimmed);
      }
    }
    offset = end + 1;
  }
  return lines;
}

}  // namespace

std::string CaseFile::title() const {
  for (const Statement& statement : statements) {
    const auto* remark = std::get_if<statement::Remark>(&statement);
    if (remark != nullptr && remark->word == "title") return remark->text;
  }
  return {};
}

std::expected<std::vector<Statement>, CaseError> parse_statements(std::string_view text,
                                                                  std::size_t& expectation_offset) {
  std::vector<Statement> statements;
  expectation_offset = text.size();
  for (const Line& line : split_lines(text)) {
    std::string_view rest = line.text;
    auto statement = grammar::statement(rest);
    if (!statement || !rest.empty()) {
      return std::unexpected(fmt::format("line {}: cannot read \"{}\"", line.number, rest));
    }
    const bool is_expect = std::holds_alternative<statement::Expect>(*statement);
    const bool is_finding = std::holds_alternative<statement::Finding>(*statement);
    const bool is_after_expectation = expectation_offset != text.size();
    if (is_finding != is_after_expectation) {
      return std::unexpected(fmt::format(
          "line {}: found another statement after `expect`, expected only findings", line.number));
    }
    if (is_expect) expectation_offset = line.offset;
    statements.push_back(std::move(*statement));
  }
  return statements;
}

std::expected<CaseFile, CaseError> read_case_file(const std::filesystem::path& path) {
  CaseFile file;
  file.path = path;
  std::ifstream stream(path, std::ios::binary);
  file.text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream.is_open() || stream.bad())
    return std::unexpected(fmt::format("{} cannot be read", path.string()));
  auto statements = parse_statements(file.text, file.expectation_offset);
  if (!statements) return std::unexpected(std::move(statements.error()));
  file.statements = std::move(*statements);
  return file;
}

std::expected<CaseFile, CaseError> read_base_file(const std::filesystem::path& path, std::string_view name) {
  std::error_code ignored;
  const std::string file_name = std::string(name) + ".base";
  for (auto folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (!std::filesystem::exists(folder / file_name, ignored)) {
      if (folder == folder.parent_path()) break;
      continue;
    }
    auto base = read_case_file(folder / file_name);
    if (!base) return std::unexpected(fmt::format("{}: {}", file_name, base.error()));
    return base;
  }
  return std::unexpected(fmt::format("no {} in this folder or one above it", file_name));
}

std::expected<std::vector<Statement>, CaseError> join_base(const CaseFile& file) {
  std::vector<Statement> statements;
  for (const Statement& statement : file.statements) {
    if (const auto* use = std::get_if<statement::UseBase>(&statement)) {
      auto base = read_base_file(file.path, use->name);
      if (!base) return std::unexpected(std::move(base.error()));
      std::ranges::move(base->statements, std::back_inserter(statements));
    }
  }
  std::ranges::copy(file.statements, std::back_inserter(statements));
  return statements;
}

}  // namespace heapcheck::conformance
