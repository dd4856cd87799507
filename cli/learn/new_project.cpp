#include "new_project.hpp"

#include <algorithm>
#include <bit>

#include "host/joined.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "machine/small_machines.hpp"

namespace lockstep::cli::learn {
namespace {

/// The text with every @NAME@ replaced by the value of that name.
std::string filled_in(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string mark = "@" + name + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

constexpr const char* program = R"(// @OPERATION@/@NAME@: @PHRASE@ on @FORM@ (@SUMMARY@).
// @PORTS@
#include <lockstep/algorithms/operation/@INCLUDE@.hpp>
#include <lockstep/command/command.hpp>

using namespace lockstep;

// Every processor runs this program.
//   at first      @AT_FIRST@
//   in the end    @IN_THE_END@
//
// A processor knows only itself, and learns of others by messages:
//   self.rank(), self.processors()                        its number, and the number of all
@VERBS_OF_PORTS@//   self.send(port, payload);                             it arrives in the next cycle
//   co_await self.message(port)                           waits for the next message; self.message(): on any port
//   co_await self.exchange(port, payload)                 sends, and waits for the message from there
//   co_await self.cycle();                                ends the cycle; in one it may send and receive one message
// With the data of this operation:@VERBS@
Process program(Processor<@PAYLOAD@>& self, @PARAMETERS@) {
  // Write your program here. As it stands no processor sends anything, and none receives what it lacks.
  co_return;
}

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {@ENTRY@<program>("@OPERATION@/@NAME@", {"@FAMILY@"})},
@SIZES@}
)";

constexpr const char* verbs_of_ports =
    "//   self.ports(), self.has_link(port)                     its ports are 0 .. ports() - 1; some may have no "
    "link\n";

constexpr const char* cmake_lists = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

# The place of the command that wrote this project. -Dlockstep_DIR=.. and -DCMAKE_PREFIX_PATH=.. name another.
find_package(lockstep CONFIG REQUIRED HINTS [[@PLACE@]])

add_executable(@NAME@ @NAME@.cpp)
target_link_libraries(@NAME@ PRIVATE lockstep::command)
# An unfinished program need not use all its parameters.
target_compile_options(@NAME@ PRIVATE -Wall -Wextra -Wno-unused-parameter)

enable_testing()
add_test(NAME judge COMMAND @NAME@ judge)
)";

constexpr const char* presets = R"({
  "version": 6,
  "configurePresets": [
    {
      "name": "release",
      "generator": "Ninja",
      "binaryDir": "${sourceDir}/build/${presetName}",
      "cacheVariables": { "CMAKE_BUILD_TYPE": "Release" }
    },
    {
      "name": "asan",
      "inherits": "release",
      "description": "AddressSanitizer and UndefinedBehaviorSanitizer, which find data used after its lifetime",
      "cacheVariables": {
        "CMAKE_BUILD_TYPE": "RelWithDebInfo",
        "CMAKE_CXX_FLAGS": "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
      }
    }
  ],
  "buildPresets": [
    { "name": "release", "configurePreset": "release" },
    { "name": "asan", "configurePreset": "asan" }
  ],
  "testPresets": [
    { "name": "release", "configurePreset": "release", "output": { "outputOnFailure": true } },
    { "name": "asan", "configurePreset": "asan", "output": { "outputOnFailure": true } }
  ]
}
)";

constexpr const char* readme = R"(# @NAME@

@PHRASE_AT_BEGIN@ of your own on @FORM@ (@SUMMARY@), for Lockstep.

The program is in `@NAME@.cpp`, where about twenty lines remain to be written. The comment above them has what
processors hold at first and in the end, and which calls they can make.

## Build and judge

```console
$ cmake --preset release
$ cmake --build --preset release
$ build/release/@NAME@ judge
```

`judge` runs the program on the machines that `@NAME@.cpp` names at its end. It shows which processor lacks which data,
which rule was broken or which processors wait for each other, compares the steps with the lower bound and the best
method of the catalogue, and gives points.

The executable is the whole `lockstep` command, in which `@OPERATION@/@NAME@` is a method like all others:

```console
$ build/release/@NAME@ trace --machine @EXAMPLE@ --algorithm @OPERATION@/@NAME@
$ build/release/@NAME@ trace --machine @EXAMPLE@ --algorithm @OPERATION@/@NAME@ --html page.html
$ build/release/@NAME@ compare --machine @EXAMPLE@ --operation @OPERATION@
```

## Test

```console
$ ctest --preset release
$ cmake --preset asan && cmake --build --preset asan && ctest --preset asan
```

The only test is that `judge` finds no error. With the preset `asan`, AddressSanitizer finds data that is used after its
lifetime or out of bounds.

## Read

```console
$ build/release/@NAME@ explain @OPERATION@
$ build/release/@NAME@ explain @FAMILY@
$ build/release/@NAME@ explain 'port model'
$ build/release/@NAME@ explain deadlock
```

Lockstep's `docs/lab.md` has exercises, and `docs/programs.md` every call of a program.

CMake looks for Lockstep at the place of the command that wrote this project. If it has moved, name the directory that
has `lockstep-config.cmake`: `cmake --preset release -Dlockstep_DIR=DIRECTORY`.
)";

const MachineFamily& family_of_project(const NewProject& project) {
  const std::string_view name = std::string_view(project.machine).substr(0, project.machine.find(':'));
  return *std::ranges::find(machine_families(), name, &MachineFamily::name);
}

bool is_of_one_machine(const NewProject& project) { return project.machine.find(':') != std::string::npos; }

/// The text as a literal of C++.
std::string literal(const std::string& text) {
  std::string literal = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') literal += '\\';
    literal += letter;
  }
  return literal + '"';
}

/// The text as a word of a shell.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:,=/._+-";
  if (text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// "A broadcast".
std::string at_begin_of_line(std::string_view phrase) {
  std::string text(phrase);
  text.front() = 'A';
  return text;
}

/// The last lines of the program's call of command().
std::string text_of_sizes(const std::vector<std::string>& sizes) {
  constexpr std::string_view begin = "                  .sizes = {";
  constexpr std::size_t width = 120;
  const std::string list = host::joined(sizes, literal);
  if (sizes.size() == 1) return std::string(begin) + list + "}});\n";  // the name of a file may have spaces
  return host::wrapped(begin, list + "}});", begin.size(), width);
}

}  // namespace

std::vector<std::string> sizes_of(const NewProject& project) {
  std::vector<std::string> sizes{project.machine};
  if (!is_of_one_machine(project)) sizes = machine::small_machines(project.machine);
  if (project.operation.is_for_powers_of_two) {
    std::erase_if(sizes, [](const std::string& text) { return !std::has_single_bit(parse_machine(text).processors); });
  }
  if (!sizes.empty()) return sizes;
  const std::string operation(project.operation.name);
  throw InputError(is_of_one_machine(project)
                       ? operation + " is for machines whose processors are a power of two; " +
                             printable(project.machine) + " has " +
                             std::to_string(parse_machine(project.machine).processors)
                       : "there is no list of small machines of the family " + project.machine + " to judge on");
}

std::vector<std::pair<std::string, std::string>> files_of(const NewProject& project) {
  if (is_of_one_machine(project)) parse_machine(project.machine);  // which must exist
  const ProjectOperation& operation = project.operation;
  const MachineFamily& family = family_of_project(project);
  const bool has_ports = family.wiring != nullptr;
  const std::vector<std::string> sizes = sizes_of(project);
  const std::vector<std::pair<std::string, std::string>> values{
      {"OPERATION", std::string(operation.name)},
      {"PHRASE", std::string(operation.phrase)},
      {"PHRASE_AT_BEGIN", at_begin_of_line(operation.phrase)},
      {"INCLUDE", std::string(operation.include)},
      {"AT_FIRST", std::string(operation.at_first)},
      {"IN_THE_END", std::string(operation.in_the_end)},
      {"PORTS", has_ports
                    ? "Where port p leads: " + family.ports + "."
                    : "There are no ports; use the other processor's rank instead, as in self.send(rank, payload)."},
      {"VERBS_OF_PORTS", has_ports ? verbs_of_ports : ""},
      {"FORM", family.form},
      {"SUMMARY", family.summary},
      {"VERBS", std::string(operation.verbs)},
      {"PAYLOAD", std::string(operation.payload)},
      {"PARAMETERS", std::string(operation.parameters)},
      {"ENTRY", std::string(operation.entry)},
      {"FAMILY", std::string(family.name)},
      {"SIZES", text_of_sizes(sizes)},
      {"EXAMPLE", shell_word(sizes[sizes.size() / 2])},
      {"NAME", project.name},
      {"PLACE", project.place}};
  return {{"CMakeLists.txt", filled_in(cmake_lists, values)},
          {"CMakePresets.json", presets},
          {"README.md", filled_in(readme, values)},
          {".gitignore", "build/\n"},
          {project.name + ".cpp", filled_in(program, values)}};
}

}  // namespace lockstep::cli::learn
