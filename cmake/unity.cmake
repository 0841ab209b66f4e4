# heapcheck_unity_groups(TARGET FILE...): if the target is a unity build, its sources in the same folder form one unit.
# The paths of the files are absolute or relative to the current folder.
function(heapcheck_unity_groups target)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "_" folder ${folder})
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()
