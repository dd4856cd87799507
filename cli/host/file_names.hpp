#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::host {

/// Whether both names are one regular file, also by links, or would be if it existed. Pipes and devices do not count.
bool is_one_file(const std::string& one, const std::string& other);

/// The files that a machine's specification names.
std::vector<std::string> graph_files(const std::string& machine);

/// The specification as a file of that name has it: graphs' files by their names relative to its folder, except those
/// that were given from the root. Unchanged for a stream, such as standard output.
std::string machine_beside(const std::string& machine, const std::string& file);
/// The specification in a file of that name, as from the working directory. Unless graphs' files must be beside it, one
/// that is not is taken by the name it has there, as older files were written.
std::string machine_of_file(const std::string& machine, const std::string& file, bool must_be_beside);

/// The specification with absolute names of its graphs' files.
std::string machine_from_root(const std::string& machine);

/// A file that the user named, and its role: "--json", "the schedule".
struct NamedFile {
  std::string what;
  std::string path;
};

/// Throws InputError if two outputs are one file, an output is an input, or an output names standard output other than
/// by "-". Only --output may be the file of --input or --resume: it is read before it is replaced.
void refuse_shared_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// Those of these that are files, by name, each with a digest of its content, which may differ between hosts.
std::string digests_of(const std::vector<NamedFile>& inputs);

}  // namespace lockstep::cli::host
