# heapcheck_embed_spec(OUT PAGE...): writes a source file with the text of pages of spec/, so that
# `heapcheck explain` can show the paragraph that states a rule.
function(heapcheck_embed_spec out)
  set(entries "")
  foreach(page IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/spec/${page})
    file(READ ${PROJECT_SOURCE_DIR}/spec/${page} text)
    # A string literal is limited to 64 KiB, so a page is split into several literals.
    string(LENGTH "${text}" length)
    set(literal "")
    set(position 0)
    while(position LESS length)
      string(SUBSTRING "${text}" ${position} 8000 piece)
      string(APPEND literal "R\"spec(${piece})spec\"\n")
      math(EXPR position "${position} + 8000")
    endwhile()
    string(APPEND entries "    {\"${page}\",\n${literal}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
// Generated from spec/ by cmake/spec_text.cmake.
#include "cli/spec_pages.hpp"

namespace heapcheck::cli {

const std::vector<SpecPage>& spec_pages() {
  static const std::vector<SpecPage> pages{
@entries@  };
  return pages;
}

}  // namespace heapcheck::cli
]])
endfunction()
