# heapcheck_precompile(TARGET HEADER|REUSE_FROM OTHER): what its sources include most is compiled once. With
# gcc only: clang, which checks every change too, then tells when a source does not include what it uses.
function(heapcheck_precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  # ccache takes a precompiled header only with this, and with the sloppiness that cmake/setup.sh asks for.
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGV1})
  endif()
endfunction()
