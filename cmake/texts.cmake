# embed_texts(TARGET DIRECTORY) compiles the texts of the folder, all files *.md and *.toml below it, into a target: a
# generated source has their bytes, for lockstep::cli::texts::files(). A changed text recompiles only that source.
#
# As a script it writes that source: cmake -D directory=.. -D files=.. -D source=.. -P texts.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(code "#include \"texts/reader.hpp\"\n\nnamespace lockstep::cli::texts {\n\n")
  string(APPEND code "std::span<const TextFile> files() {\n  static constexpr TextFile all[] = {\n")
  foreach(file IN LISTS files)
    file(READ ${directory}/${file} text)
    string(APPEND code "{\"${file}\", R\"lockstep-text(${text})lockstep-text\"},\n")
  endforeach()
  string(APPEND code "};\n  return all;\n}\n\n}  // namespace lockstep::cli::texts\n")
  file(WRITE ${source} "${code}")
  return()
endif()

set(texts_script ${CMAKE_CURRENT_LIST_FILE})

function(embed_texts target directory)
  file(GLOB_RECURSE files RELATIVE ${directory} CONFIGURE_DEPENDS ${directory}/*.md ${directory}/*.toml)
  list(TRANSFORM files PREPEND ${directory}/ OUTPUT_VARIABLE paths)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/texts.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D directory=${directory} -D "files=${files}" -D source=${source} -P ${texts_script}
    DEPENDS ${paths} ${texts_script} VERBATIM)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_OPTIONS -Wno-overlength-strings)  # our compilers do not have the standard's limit
endfunction()
