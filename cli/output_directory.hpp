#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

/// A directory for results that the user named: new, or empty but for files of an earlier result. What it is to hold is
/// written to a directory beside or in it first.
class OutputDirectory {
 public:
  /// `is_own` says of a name whether an earlier result may have left such a file. Throws OutputError if the directory
  /// holds others, or cannot be written.
  OutputDirectory(std::string path, bool (*is_own)(const std::string& name));
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;
  /// Removes what is not in its place.
  ~OutputDirectory();

  /// Writes a file, which is not seen yet. Throws OutputError.
  void write(const std::string& name, std::string_view text);
  /// Has the directory hold these files and no other. A new one appears at once; in one that is there the file that
  /// was written last appears last, and goes first. Throws OutputError.
  void put_in_place();

 private:
  void make();

  std::string path_;
  bool (*is_own_)(const std::string& name);
  std::string new_;  // empty while there is none
  std::vector<std::string> names_;
};

}  // namespace lockstep::cli
