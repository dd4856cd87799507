# Used by the scripts that write the lists of methods and of families from their sources.
cmake_minimum_required(VERSION 3.25)

# entries_of(RESULT SOURCE ENTRY LIKE MARK HOW) returns the lines of SOURCE that match the regular expression ENTRY. It
# is an error if another line matches LIKE, which looks like an entry, or if a line matches MARK, which only entries have,
# and there is no entry: the build would leave it out without a word. HOW says how an entry begins.
function(entries_of result source entry like mark how)
  file(STRINGS ${source} lines REGEX "${like}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "${entry}")
      message(FATAL_ERROR "${source}: this does not define an entry: ${line}\n${how}")
    endif()
  endforeach()
  file(STRINGS ${source} marks REGEX "${mark}" LIMIT_COUNT 1)
  if(marks AND NOT lines)
    message(FATAL_ERROR "${source}: no entry is found here, but this belongs to one: ${marks}\n${how}")
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()
