#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lockstep/machines/input_error.hpp"

namespace lockstep {

/// A file that cannot be written; what() is one line that names it and the reason.
class OutputError : public InputError {
 public:
  /// `path` as the user named it.
  OutputError(const std::string& path, const std::string& reason);

  /// The file, as the user named it.
  const std::string& path() const { return path_; }
  /// Why it cannot be written.
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

/// A file that is going to take the place of another, or of none: until then it has a name of its own beside that place
/// (".lockstep.PID.N.new") and is removed unless it is put there, whatever ends the run. For one thread at a time.
class NewFile {
 public:
  /// An empty file for that place; through a symbolic link, for where it leads. Throws OutputError.
  explicit NewFile(const std::string& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  /// Removes it, unless it is in its place.
  ~NewFile();

  /// Its name until it is in its place.
  const std::string& name() const { return name_; }

  /// Fills it with the text, or with what write(stream) writes. Throws OutputError.
  void write(std::string_view text) const;
  /// The same with what write(stream) writes.
  void write(const std::function<void(std::ostream&)>& write) const;
  /// Takes the place, and the permissions of what is there. Throws OutputError, and is removed then.
  void put_in_place();

 private:
  std::string path_;   // as the user named it
  std::string place_;  // where that leads
  int entry_ = 0;      // in the list of remove_new_files()
  std::string name_;
};

/// A directory of files, without directories in it, that is going to take a place: until then it has a name of its own
/// (".lockstep.PID.N.directory"), and is removed with what is in it unless it is put there, whatever ends the run. For
/// one thread at a time.
class NewDirectory {
 public:
  /// An empty one in `parent`, for what the user named `path`. Throws OutputError.
  NewDirectory(const std::string& parent, const std::string& path);
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;
  /// Removes it, unless it is in its place.
  ~NewDirectory();

  /// Its name until it is in its place.
  const std::string& name() const { return name_; }

  /// Takes the place of nothing, which the user named. Throws OutputError.
  void put_in_place();

 private:
  std::string path_;  // as the user named it
  int entry_ = 0;     // in the list of remove_new_files()
  std::string name_;
};

/// Removes all files and directories that are not in their places. Only for what ends the process at once: a signal
/// handler may call it, and another thread that uses one of them may find it gone.
void remove_new_files();

/// Refuses a place that a NewFile could not take: "", a directory, one in a directory that does not exist, ... Throws
/// OutputError.
void check_replaceable(const std::string& path);

}  // namespace lockstep
