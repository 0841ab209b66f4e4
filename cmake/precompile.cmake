# heapcheck_precompile(TARGET HEADER|REUSE_FROM OTHER): compiles the most common includes of the target only once. This
# is done with gcc and in unity builds. clang-tidy and the asan preset compile each source without it, and therefore
# find sources that do not include everything that they use.
function(heapcheck_precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT HEAPCHECK_UNITY)
    return()
  endif()
  # ccache supports precompiled headers only with these options and with CCACHE_SLOPPINESS as set in cmake/setup.sh.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                           "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGV1})
  endif()
endfunction()
