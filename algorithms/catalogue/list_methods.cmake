# Writes OUTPUT, the catalogue's list: the entries that end the SOURCES, which are separated by |. An entry is
# `extern const Method NAME_method`, or two of them `extern const method::MethodPair NAME_methods`. The list is left as
# it is where nothing has changed.
string(REPLACE "|" ";" SOURCES "${SOURCES}")
foreach(source IN LISTS SOURCES)
  # Whatever looks like a definition of an entry, so that one that is written in another way is an error.
  file(STRINGS ${source} entries REGEX
    "^extern [^;=]*Method[^;={]*(=|{|$)|^(static |inline |constexpr )*const +(method::)?Method(Pair)? +[A-Za-z0-9_]+ *(=|{|$)")
  foreach(entry IN LISTS entries)
    if(entry MATCHES "^extern const Method ([a-z0-9_]+_method)({| =)")
      string(APPEND declarations "extern const Method ${CMAKE_MATCH_1};\n")
      string(APPEND methods "      &${CMAKE_MATCH_1},\n")
    elseif(entry MATCHES "^extern const method::MethodPair ([a-z0-9_]+_methods) =")
      string(APPEND declarations "extern const std::array<Method, 2> ${CMAKE_MATCH_1};\n")
      string(APPEND methods "      &${CMAKE_MATCH_1}[0],\n      &${CMAKE_MATCH_1}[1],\n")
    else()
      message(FATAL_ERROR "${source}: this does not define an entry of the catalogue: ${entry}\n"
        "An entry begins with `extern const Method NAME_method` or `extern const method::MethodPair NAME_methods`, "
        "in small letters, and = or {.")
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
