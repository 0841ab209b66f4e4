#include "export/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "export/writers.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::exports {

void Written::add(Written more) {
  for (Amount& amount : more.amounts) {
    const auto same = std::ranges::find(amounts, amount.what, &Amount::what);
    if (same == amounts.end())
      amounts.push_back(std::move(amount));
    else
      same->count = core::saturating_add(same->count, amount.count);
  }
  for (std::string& note : more.notes) {
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
  for (Loss& loss : more.losses) {
    // The same items can be lost for different reasons, which are listed separately.
    const auto same = std::ranges::find_if(losses, [&loss](const Loss& other) {
      return other.what == loss.what && other.reason == loss.reason;
    });
    if (same == losses.end())
      losses.push_back(std::move(loss));
    else
      same->count = core::saturating_add(same->count, loss.count);
  }
}

bool has_stacks(Family family) { return family == Family::trace || family == Family::v8_heapprofile; }

std::string name_part(const std::string& output, std::string_view part) {
  const std::filesystem::path path(output);
  const std::string name = fmt::format("{}-{}{}", path.stem().string(), part, path.extension().string());
  return (path.parent_path() / name).string();
}

std::span<const Form> all_forms() { return forms; }

const Form& row_of(ExportForm form) { return *std::ranges::find(forms, form, &Form::form); }

}  // namespace heapcheck::exports
