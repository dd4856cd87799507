# Copies the files to which the page of the worked machine adds lines, with those lines:
#
#     cmake -D SOURCE=REPOSITORY -D COPIES=FOLDER -P add_lines.cmake
#
# In the page's blocks of the language diff, "--- FILE" names a file, " LINE" a line of it, and "+LINE" one to stand
# behind that.
cmake_minimum_required(VERSION 3.25)

# Lists of lines are parted by semicolons, which lines end in.
function(read_lines file)
  file(READ "${file}" text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${COPIES}")
set(page docs/adding-a-machine.md)
read_lines("${SOURCE}/${page}")
string(REGEX MATCHALL "```diff\n[^`]*```" blocks "${text}")
foreach(block IN LISTS blocks)
  string(REGEX MATCHALL "[^\n]+" lines "${block}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^--- (.*)")
      set(file "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^ (.*)")
      set(before "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^\\+(.*)")
      set(added "${CMAKE_MATCH_1}")
      set(current "${COPIES}/${file}")
      if(NOT EXISTS "${current}")
        set(current "${SOURCE}/${file}")
      endif()
      read_lines("${current}")
      string(FIND "${text}" "\n${before}\n" place)
      if(place EQUAL -1)
        message(FATAL_ERROR "${page} names a line that ${file} lacks: ${before}")
      endif()
      string(REPLACE "\n${before}\n" "\n${before}\n${added}\n" text "${text}")
      string(REPLACE "<semicolon>" ";" text "${text}")
      file(WRITE "${COPIES}/${file}" "${text}")
    endif()
  endforeach()
endforeach()
