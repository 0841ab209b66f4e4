# heapcheck_target(NAME): sets the options for every target of this project. The include roots are include/, for the
# public headers, and the source folder: an include is the path of a header relative to one of them.
function(heapcheck_target name)
  target_compile_features(${name} PUBLIC cxx_std_23)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  # All targets have the same options, so that they can share objects and precompiled headers.
  target_compile_options(${name} PRIVATE -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor)
  if(NOT HEAPCHECK_UNITY)
    # In a unity build, names in neighbouring sources would cause false warnings.
    target_compile_options(${name} PRIVATE -Wshadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # gcc 12 reports false alarms inside std::string and std::optional (gcc bugs 105329, 105593 and 105562).
    target_compile_options(${name} PRIVATE -Wno-restrict -Wno-maybe-uninitialized
                                           -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  heapcheck_harden(${name})
  if(HEAPCHECK_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(HEAPCHECK_SANITIZE)
    target_compile_definitions(${name} PRIVATE HEAPCHECK_SANITIZED)
    target_compile_options(${name} PRIVATE -fsanitize=${HEAPCHECK_SANITIZE} -fno-sanitize-recover=all
                                           -fno-omit-frame-pointer)
    target_link_options(${name} PRIVATE -fsanitize=${HEAPCHECK_SANITIZE})
  endif()
  if(HEAPCHECK_FUZZERS AND NOT HEAPCHECK_FUZZING_ENGINE)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    if(HEAPCHECK_SANITIZE)
      # Each inlined copy of a function has its own checks. With fewer copies, sources compile in 15 to 20 % less time,
      # and the targets take 20 to 30 % longer.
      target_compile_options(${name} PRIVATE "SHELL:-mllvm -inline-threshold=30")
    endif()
  endif()
endfunction()

# heapcheck_lightly_optimised(NAME): for code that runs only once, or once for each finding. This reduces the
# compile time by a quarter.
function(heapcheck_lightly_optimised name)
  target_compile_options(${name} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release,RelWithDebInfo>>:-O1>)
endfunction()

# heapcheck_quick_to_compile(NAME): for code that takes hardly any time, even without optimisation. Optimising the
# checks of sanitizers takes half the compile time.
function(heapcheck_quick_to_compile name)
  heapcheck_lightly_optimised(${name})
  if(HEAPCHECK_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# heapcheck_not_fuzzed(NAME): for code that is not run by any fuzz target, so that libFuzzer does not have to observe
# it.
function(heapcheck_not_fuzzed name)
  if(HEAPCHECK_FUZZERS AND NOT HEAPCHECK_FUZZING_ENGINE)
    target_compile_options(${name} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
endfunction()
