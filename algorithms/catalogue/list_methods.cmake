# Writes OUTPUT, the catalogue's list: the entries that end the SOURCES, which are separated by |. An entry is
# `extern const Method NAME_method`, or two of them `extern const method::MethodPair NAME_methods`. What looks like an
# entry and is none is an error. The list is left as it is where nothing has changed.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/entries.cmake)
set(one "^extern const Method ([a-z0-9_]+_method)({| =)")
set(pair "^extern const method::MethodPair ([a-z0-9_]+_methods) =")
string(CONCAT like "^extern [^;=]*Method[^;={]*(=|{|$)"
  "|^(static |inline |constexpr )*const +(method::)?Method(Pair)? +[A-Za-z0-9_]+ *(=|{|$)")
string(CONCAT how "An entry begins with `extern const Method NAME_method` or "
  "`extern const method::MethodPair NAME_methods`, in small letters, and = or {.")
string(REPLACE "|" ";" SOURCES "${SOURCES}")
foreach(source IN LISTS SOURCES)
  entries_of(entries ${source} "${one}|${pair}" "${like}" "\\.name = \"[a-z0-9-]+/" "${how}")
  foreach(entry IN LISTS entries)
    if(entry MATCHES "${one}")
      string(APPEND declarations "extern const Method ${CMAKE_MATCH_1};\n")
      string(APPEND methods "      &${CMAKE_MATCH_1},\n")
    elseif(entry MATCHES "${pair}")
      string(APPEND declarations "extern const std::array<Method, 2> ${CMAKE_MATCH_1};\n")
      string(APPEND methods "      &${CMAKE_MATCH_1}[0],\n      &${CMAKE_MATCH_1}[1],\n")
    endif()
  endforeach()
endforeach()
string(CONFIGURE [[
// Written by list_methods.cmake.
#include <array>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

@declarations@
const std::vector<const Method*>& listed_methods() {
  static const std::vector<const Method*> methods{
@methods@  };
  return methods;
}

}  // namespace lockstep
]] text @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${text}" @ONLY)
