# heapcheck_embed_page(OUT FOLDER HTML CSS JS...): writes a source file with the page of `heapcheck report`. The style
# sheet and the joined scripts are put into the HTML, whose policy allows only them, by their checksums.

# The base64 form of a SHA-256 checksum: three hexadecimal digits become two base64 digits.
function(heapcheck_base64_checksum text out)
  string(SHA256 digits "${text}")
  string(APPEND digits 00)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(base64 "")
  foreach(position RANGE 0 63 3)
    string(SUBSTRING ${digits} ${position} 3 three)
    math(EXPR high "0x${three} / 64")
    math(EXPR low "0x${three} % 64")
    foreach(index ${high} ${low})
      string(SUBSTRING ${alphabet} ${index} 1 letter)
      string(APPEND base64 ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  set(${out} "${base64}=" PARENT_SCOPE)
endfunction()

# A string literal is limited to 64 KiB, so the text is split into several literals.
function(heapcheck_literal text out)
  string(LENGTH "${text}" length)
  set(literal "")
  set(position 0)
  while(position LESS length)
    string(SUBSTRING "${text}" ${position} 8000 piece)
    string(APPEND literal "R\"page(${piece})page\"\n")
    math(EXPR position "${position} + 8000")
  endwhile()
  set(${out} "${literal}" PARENT_SCOPE)
endfunction()

function(heapcheck_embed_page out folder html css)
  foreach(name IN ITEMS ${html} ${css} ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name})
  endforeach()
  file(READ ${folder}/${html} page)
  file(READ ${folder}/${css} style)
  set(script "")
  foreach(name IN LISTS ARGN)
    file(READ ${folder}/${name} text)
    string(APPEND script "${text}")
  endforeach()
  heapcheck_base64_checksum("${style}" style_checksum)
  heapcheck_base64_checksum("${script}" script_checksum)
  foreach(part IN ITEMS style_checksum script_checksum style script)
    string(REPLACE "{{${part}}}" "${${part}}" page "${page}")
  endforeach()
  string(FIND "${page}" "{{data}}" position)
  string(SUBSTRING "${page}" 0 ${position} start)
  math(EXPR position "${position} + 8")
  string(SUBSTRING "${page}" ${position} -1 end)
  heapcheck_literal("${start}" start)
  heapcheck_literal("${end}" end)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
// Generated from export/page/web/ by cmake/page_text.cmake.
#include "export/page/page.hpp"

namespace heapcheck::exports::page {

std::string_view page_start() {
  return @start@;
}

std::string_view page_end() {
  return @end@;
}

}  // namespace heapcheck::exports::page
]])
endfunction()
