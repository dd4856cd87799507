#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lockstep/machines/input_error.hpp"

namespace lockstep {

/// A file that cannot be written; what() is one line that names it and the reason.
class OutputError : public InputError {
 public:
  /// `path` as the user wrote it.
  OutputError(const std::string& path, const std::string& reason);

  /// The file, as the user wrote it.
  const std::string& path() const { return path_; }
  /// Why it cannot be written.
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

/// A file that will replace another, or none: until then it has a name of its own (".lockstep.PID.N.new") in the same
/// directory, and it is removed unless it is put in place, however the run ends. For one thread at a time.
class NewFile {
 public:
  /// An empty file for that place; for a symbolic link, for its target. Throws OutputError.
  explicit NewFile(const std::string& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  /// Removes it, unless it is in its place.
  ~NewFile();

  /// Its name until it is in its place.
  const std::string& name() const { return name_; }

  /// Writes the text to it. Throws OutputError.
  void write(std::string_view text) const;
  /// Writes what write(stream) writes.
  void write(const std::function<void(std::ostream&)>& write) const;
  /// Moves it to its place, with the permissions of the file there. Throws OutputError after removing it.
  void put_in_place();

 private:
  std::string path_;   // as the user wrote it
  std::string place_;  // where that leads, links followed
  int entry_ = 0;      // in the list of remove_new_files()
  std::string name_;
};

/// A directory of files, without subdirectories, that will be put in its place: until then it has a name of its own
/// (".lockstep.PID.N.directory"), and it is removed with its files unless it is put in place, however the run ends. For
/// one thread at a time.
class NewDirectory {
 public:
  /// An empty directory in `parent`, for the user's `path`. Throws OutputError.
  NewDirectory(const std::string& parent, const std::string& path);
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;
  /// Removes it, unless it is in its place.
  ~NewDirectory();

  /// Its name until it is in its place.
  const std::string& name() const { return name_; }

  /// Moves it to the user's path, where nothing may exist. Throws OutputError.
  void put_in_place();

 private:
  std::string path_;  // as the user wrote it
  int entry_ = 0;     // in the list of remove_new_files()
  std::string name_;
};

/// Removes all files and directories that are not in their places. Only for callers that then end the process: a signal
/// handler may call it, and another thread that uses one of them may find it gone.
void remove_new_files();

/// Refuses a place that a NewFile could not take: "", a directory, one in a directory that does not exist, ... Throws
/// OutputError.
void check_replaceable(const std::string& path);

}  // namespace lockstep
