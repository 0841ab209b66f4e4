#include "export/form.hpp"

#include <algorithm>

#include "export/profiles/collapsed.hpp"

namespace heapcheck::exports {
namespace {

constexpr Form forms[] = {
    {.form = ExportForm::collapsed,
     .name = "collapsed",
     .is_text = true,
     .write_stacks = profiles::write_collapsed},
};

}  // namespace

std::span<const Form> all_forms() { return forms; }

const Form& row_of(ExportForm form) { return *std::ranges::find(forms, form, &Form::form); }

}  // namespace heapcheck::exports
