#pragma once

#include <string>
#include <vector>

namespace lockstep::cli {

/// Whether both names lead to one regular file, by links too, or would if it existed. Pipes and devices are none.
bool is_one_file(const std::string& one, const std::string& other);

/// The files that a machine's specification names.
std::vector<std::string> graph_files(const std::string& machine);

}  // namespace lockstep::cli
