// Passes the inputs of files and directories to a harness, one after the other, where there is no libFuzzer: inputs
// that once found a fault stay tests of every build.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "target.hpp"

namespace {

namespace fs = std::filesystem;

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) return files.push_back(path);
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) add_files(entry.path(), files);
}

std::vector<std::uint8_t> bytes_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): an exception ends it, as a crash does
  std::vector<fs::path> files;
  for (int argument = 1; argument < argc; ++argument) add_files(argv[argument], files);
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::clog << file.filename().string() << std::endl;  // the last name printed is the one that failed
    const std::vector<std::uint8_t> bytes = bytes_in(file);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::clog << files.size() << " inputs run\n";
  return files.empty() ? 1 : 0;
}
