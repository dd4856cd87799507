#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::host {

/// Whether both names lead to one regular file, by links too, or would if it existed. Pipes and devices are none.
bool is_one_file(const std::string& one, const std::string& other);

/// The files that a machine's specification names.
std::vector<std::string> graph_files(const std::string& machine);

/// A file that the user named, and what it is: "--json", "the schedule".
struct NamedFile {
  std::string what;
  std::string path;
};

/// Throws InputError if two outputs lead to one place, an output to an input or past "-" to standard output. Only data
/// may be worked on in place (--output and --input): it is read before it is replaced.
void refuse_shared_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// Each of these that is a file by its name, with a digest of what is in it: hosts may have others under the same name.
std::string digests_of(const std::vector<NamedFile>& inputs);

}  // namespace lockstep::cli::host
