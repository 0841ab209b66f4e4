# heapcheck_precompile(TARGET HEADER|REUSE_FROM OTHER): compiles the most common includes of the target only once.
# This is done only with gcc: clang also compiles every change, and thus finds sources that do not include everything
# that they use.
function(heapcheck_precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  # ccache supports precompiled headers only with this option and with CCACHE_SLOPPINESS as set in cmake/setup.sh.
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGV1})
  endif()
endfunction()
