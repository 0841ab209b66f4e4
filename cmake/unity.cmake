# heapcheck_unity_groups(TARGET DEPTH FILE...): in a unity build of the target, sources form one unit if the first DEPTH
# folders of their paths are the same. The paths are absolute or relative to the current folder.
function(heapcheck_unity_groups target depth)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" ";" folders ${folder})
    list(SUBLIST folders 0 ${depth} folders)
    list(JOIN folders "_" group)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
