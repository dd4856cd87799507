# lockstep_unity(TARGET [LINES N] [O3 FOLDER...]) compiles the sources of each folder of the target in batches of about N
# lines (by default 1800), so that headers that they share are read once. Names in anonymous namespaces are therefore
# unique in their folder. A source with its own compile options (set before this is called) is compiled alone.
# O3 are the folders that a release optimizes more than the target's other folders.
option(LOCKSTEP_UNITY "Compile sources of a folder together: a fast first build, but a changed file takes longer" ON)

function(lockstep_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 unity "" LINES O3)
  if(NOT unity_LINES)
    set(unity_LINES 1800)
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT source MATCHES "\\.cpp$" OR options OR IS_ABSOLUTE ${source})
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    set(compiled ${source})
    if(LOCKSTEP_UNITY)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      file(STRINGS ${source} lines)
      list(LENGTH lines length)
      math(EXPR lines_${group} "0${lines_${group}} + ${length}")
      math(EXPR batch "${lines_${group}} / ${unity_LINES}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${batch}")
      set(compiled ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_${batch}_cxx.cxx)
    endif()
    if(folder IN_LIST unity_O3)
      # g++ 12 leaves out functions if a precompiled header is used at another level of optimization.
      set_source_files_properties(${compiled} PROPERTIES
        COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  if(LOCKSTEP_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # g++ treats the included sources as headers and warns of their anonymous namespaces.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
