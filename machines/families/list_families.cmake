# Writes the source file with the list of families, in the order in which families.hpp declares them:
#
#     cmake -D HEADER=families.hpp -D "SOURCES=FILE|FILE.." -D OUTPUT=FILE -P list_families.cmake
#
# The SOURCES define them. What looks like a family and is none, and one that the header does not declare, is an error.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/entries.cmake)

set(declaration "^MachineFamily ([a-z_]+_family\\(\\));$")
entries_of(declarations ${HEADER} "${declaration}" "^MachineFamily " "^MachineFamily "
  "A family is declared by `MachineFamily NAME_family();`, in small letters.")
set(calls "")
foreach(line IN LISTS declarations)
  string(REGEX REPLACE "${declaration}" "\\1" call "${line}")
  string(APPEND calls "      ${call},\n")
endforeach()

set(definition "^MachineFamily ([a-z_]+_family\\(\\)) {$")
set(like "^(const |static |inline |extern )*MachineFamily +[A-Za-z0-9_]+ *(\\(\\)|=|{)")
string(REPLACE "|" ";" SOURCES "${SOURCES}")
foreach(source IN LISTS SOURCES)
  entries_of(definitions ${source} "${definition}" "${like}" "\\.form = \""
    "A family is defined by `MachineFamily NAME_family() {`, in small letters.")
  foreach(line IN LISTS definitions)
    string(REGEX REPLACE "${definition}" "\\1" call "${line}")
    string(FIND "${calls}" " ${call},\n" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "${source}: the list of families lacks this one; declare it there:\n"
        "${HEADER}: MachineFamily ${call};")
    endif()
  endforeach()
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
