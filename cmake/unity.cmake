# lockstep_unity(TARGET) compiles several sources of each folder of the target together, so that headers that they share
# are read once. Names in anonymous namespaces are therefore unique in their folder. A source with its own compile
# options (set before this is called) is compiled alone.
option(LOCKSTEP_UNITY "Compile sources of a folder together: a fast first build, but a changed file takes longer" ON)
set(LOCKSTEP_UNITY_LINES 1800 CACHE STRING "The most lines of sources that are compiled together")
mark_as_advanced(LOCKSTEP_UNITY_LINES)

function(lockstep_unity target)
  if(NOT LOCKSTEP_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT source MATCHES "\\.cpp$" OR options OR IS_ABSOLUTE ${source})
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    file(STRINGS ${source} lines)
    list(LENGTH lines length)
    math(EXPR lines_${group} "0${lines_${group}} + ${length}")
    math(EXPR batch "${lines_${group}} / ${LOCKSTEP_UNITY_LINES}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ treats the included sources as headers and warns of their anonymous namespaces.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
