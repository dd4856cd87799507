#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "output_file.hpp"

namespace lockstep::cli::host {

/// A directory for results that the user named: new, or empty except for files of an earlier result. Its files are
/// first written to a NewDirectory beside or in it. One in it that a killed process has left is removed with the files
/// of the earlier result.
class OutputDirectory {
 public:
  /// `is_own` returns whether an earlier result may have left a file of that name. Throws OutputError if the directory
  /// holds other files, or cannot be written.
  OutputDirectory(std::string path, bool (*is_own)(const std::string& name));
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Writes a file, which is not visible yet. Throws OutputError, or Interrupted if the user has interrupted.
  void write(const std::string& name, const TextWriter& write);
  /// Makes the directory hold these files and no others. A new directory appears at once; in an existing one the file
  /// that was written last appears last and is removed first. Throws OutputError.
  void put_in_place();

 private:
  void make();
  /// Whether an ended process has left that in the directory.
  bool is_left_over(const std::filesystem::path& entry) const;

  const PatientWait wait_;  // many small files count as one long wait
  std::string path_;
  bool (*is_own_)(const std::string& name);
  std::optional<NewDirectory> new_;
  std::vector<std::string> names_;
};

}  // namespace lockstep::cli::host
