#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <span>
#include <stdexcept>
#include <string>

namespace lockstep::fuzz {

/// A directory for files that harnesses read and write; removed with the process, and its working directory until then.
class Directory {
 public:
  Directory() : before_(std::filesystem::current_path()) {
    std::string name = (std::filesystem::temp_directory_path() / "lockstep-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a directory for files");
    path_ = name;
    std::filesystem::current_path(path_);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(path_, ignored);
  }

  /// Removes the files that inputs have left there.
  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) std::filesystem::remove_all(entry.path());
  }
  /// Replaces a file of that name, and returns the name.
  static std::string write(const std::string& name, std::span<const std::uint8_t> bytes) {
    std::ofstream file(name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + name);
    return name;
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path path_;
};

}  // namespace lockstep::fuzz
