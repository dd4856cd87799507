#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "lockstep/algorithms/new_file.hpp"
#include "output_file.hpp"

namespace lockstep::cli::host {

/// A directory for results that the user named: new, or empty but for files of an earlier result. What it is to hold is
/// written to a NewDirectory beside or in it first. One in it that a killed process has left
/// goes with the files of the earlier result.
class OutputDirectory {
 public:
  /// `is_own` says of a name whether an earlier result may have left such a file. Throws OutputError if the directory
  /// holds others, or cannot be written.
  OutputDirectory(std::string path, bool (*is_own)(const std::string& name));
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Writes a file, which is not seen yet. Throws OutputError, or Interrupted if the user has asked to stop.
  void write(const std::string& name, const TextWriter& write);
  /// Has the directory hold these files and no other. A new one appears at once; in one that is there the file that
  /// was written last appears last, and goes first. Throws OutputError.
  void put_in_place();

 private:
  void make();
  /// Whether that is what a process that is no more has left in the directory.
  bool is_left_over(const std::filesystem::path& entry) const;

  const PatientWait wait_;  // many small files are one long wait
  std::string path_;
  bool (*is_own_)(const std::string& name);
  std::optional<NewDirectory> new_;
  std::vector<std::string> names_;
};

}  // namespace lockstep::cli::host
