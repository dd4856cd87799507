#include "new_command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/joined.hpp"
#include "host/output_directory.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "new_project.hpp"

namespace lockstep::cli::learn {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const ProjectOperation& operation : project_operations()) names.emplace_back(operation.name);
  return names;
}

/// Names of targets that CMake reserves.
constexpr std::array<std::string_view, 6> names_of_cmake{"all", "clean", "help", "install", "preinstall", "test"};

void check_name(const std::string& name, const ProjectOperation& operation) {
  constexpr std::size_t longest = 64;
  const auto is_letter = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  const auto fits = [&](char letter) { return is_letter(letter) || (letter >= '0' && letter <= '9') || letter == '-'; };
  if (!is_letter(name.front()) || !std::ranges::all_of(name, fits) || name.size() > longest) {
    throw InputError("the name " + quoted(name) +
                     " is not a lower-case letter followed by lower-case letters, digits and '-', at most " +
                     std::to_string(longest) + " in all");
  }
  if (std::ranges::find(names_of_cmake, name) != names_of_cmake.end()) {
    throw InputError("the name " + quoted(name) + " is reserved by CMake");
  }
  const std::string method = std::string(operation.name) + "/" + name;
  if (std::ranges::any_of(catalogue(), [&](const Method* known) { return is_called(*known, method); })) {
    throw InputError("the name " + quoted(name) + " is taken: " + method + " is in the catalogue");
  }
}

/// The directory where the command is installed or was built; it has bin/lockstep.
std::string place_of_command() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path().string();
}

}  // namespace

const ProjectOperation& project_operation(const std::string& name) {
  const auto& operations = project_operations();
  const auto found = std::ranges::find(operations, name, &ProjectOperation::name);
  if (found == operations.end()) refuse_choice("--operation", name, operation_names());
  return *found;
}

std::string project_machine(const std::string& name) {
  constexpr std::string_view graph = "graph:";
  if (name == "graph" || name == graph) throw InputError("--machine graph needs its file, as in graph:petersen.json");
  if (name.starts_with(graph)) return name;
  std::vector<std::string> names;
  for (const MachineFamily& family : machine_families()) {
    // A graph needs its file, and own programs have no memory of slots.
    if (family.name != "graph" && family.name != "shared") names.push_back(family.name);
  }
  if (std::ranges::find(names, name) == names.end()) refuse_choice("--machine", name, names);
  return name;
}

int new_command(const NewArguments& arguments) {
  if (arguments.name.empty()) throw InputError("new needs a name, e.g. lockstep new mine --operation allgather");
  if (arguments.operation == nullptr)
    throw InputError("new needs --operation, one of " + host::joined(operation_names()));
  check_name(arguments.name, *arguments.operation);
  const NewProject project{.name = arguments.name,
                           .operation = *arguments.operation,
                           .machine = host::machine_from_root(arguments.machine),
                           .place = place_of_command()};
  for (const std::string& file : host::graph_files(arguments.machine)) {
    if (is_standard_input(file) || host::is_stream(file)) {
      throw InputError("--machine " + arguments.machine + ": the project reads the graph again, so it must be a file");
    }
  }
  const auto files = files_of(project);
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(project.name, ignored))) throw OutputError(project.name, "it exists already");
  host::OutputDirectory directory(project.name, [](const std::string&) { return false; });
  for (const auto& [name, text] : files) {
    directory.write(name, [&text](std::ostream& out) { out << text; });
  }
  // The directory appears last, after everything that is likelier to fail.
  host::write_output(project.name + "/" + project.name + ".cpp is " + std::string(project.operation.phrase) +
                     " to be written. To build and judge it:\n  cd " + project.name +
                     "\n  cmake --preset release\n  cmake --build --preset release\n  build/release/" + project.name +
                     " judge\n");
  directory.put_in_place();
  return host::verified;
}

}  // namespace lockstep::cli::learn
