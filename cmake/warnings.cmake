# heapcheck_target(NAME): what every target of this project is built with. The include root is
# the source folder, so an include names the path of a header from there.
function(heapcheck_target name)
  target_compile_features(${name} PUBLIC cxx_std_23)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor)
  if(HEAPCHECK_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(HEAPCHECK_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${HEAPCHECK_SANITIZE} -fno-sanitize-recover=all
                                           -fno-omit-frame-pointer)
    target_link_options(${name} PRIVATE -fsanitize=${HEAPCHECK_SANITIZE})
  endif()
  if(HEAPCHECK_FUZZERS)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()
