# Writes the source file with the list of families, in the order in which families.hpp declares them:
#
#     cmake -D HEADER=families.hpp -D OUTPUT=FILE -P list_families.cmake
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${HEADER}" declarations REGEX "^MachineFamily ")
set(calls "")
foreach(declaration IN LISTS declarations)
  if(NOT declaration MATCHES "^MachineFamily ([a-z_]+_family\\(\\));$")
    message(FATAL_ERROR "${HEADER}: not the declaration of a family: ${declaration}")
  endif()
  string(APPEND calls "      ${CMAKE_MATCH_1},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by list_families.cmake.
#include \"families/families.hpp\"

namespace lockstep {

std::vector<MachineFamily> declared_families() {
  return {
${calls}  };
}

}  // namespace lockstep
")
