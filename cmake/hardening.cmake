# heapcheck_harden(NAME): protects a target that reads untrusted files, as Debian does for its packages. Builds with
# sanitizers have their own checks, which these protections would hide.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fcf-protection HEAPCHECK_HAS_CF_PROTECTION)
check_cxx_compiler_flag(-fstack-clash-protection HEAPCHECK_HAS_STACK_CLASH_PROTECTION)

function(heapcheck_harden name)
  # libstdc++'s assertions take up 10 % of the time for checking a MoarVM dump, so only builds for tests have them.
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_definitions(${name} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
  if(HEAPCHECK_SANITIZE)
    return()
  endif()
  target_compile_options(${name} PRIVATE -fstack-protector-strong)
  if(HEAPCHECK_HAS_CF_PROTECTION)
    target_compile_options(${name} PRIVATE -fcf-protection)
  endif()
  if(HEAPCHECK_HAS_STACK_CLASH_PROTECTION)
    target_compile_options(${name} PRIVATE -fstack-clash-protection)
  endif()
  # Without optimisation, _FORTIFY_SOURCE only causes warnings.
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${name} PRIVATE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
  endif()
  target_link_options(${name} PRIVATE LINKER:-z,relro,-z,now)
endfunction()
