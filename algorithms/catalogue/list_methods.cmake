# Writes OUTPUT, the catalogue's list: the entries `extern const Method NAME_method` that end the SOURCES, which are
# separated by |. It is left as it is where nothing has changed.
string(REPLACE "|" ";" SOURCES "${SOURCES}")
foreach(source IN LISTS SOURCES)
  file(STRINGS ${source} entries REGEX "^extern const Method [a-z0-9_]+_method({| =)")
  foreach(entry IN LISTS entries)
    string(REGEX REPLACE "^extern const Method ([a-z0-9_]+).*" "\\1" entry "${entry}")
    string(APPEND declarations "extern const Method ${entry};\n")
    string(APPEND methods "      &${entry},\n")
  endforeach()
endforeach()
string(CONFIGURE [[
// Written by list_methods.cmake.
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
