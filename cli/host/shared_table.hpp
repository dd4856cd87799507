#pragma once

#include <string>

namespace lockstep::cli::host {

/// A text file with a line of headings to which many processes may add lines at the same time: each holds a lock of the
/// file while it looks what is there and writes. A stream (a pipe, a device, "-" for standard output) gets the headings
/// before every line.
class SharedTable {
 public:
  /// Throws OutputError if the file cannot be written or begins with another line than `headings`, those of `what`.
  SharedTable(std::string path, std::string headings, std::string what);
  SharedTable(const SharedTable&) = delete;
  SharedTable& operator=(const SharedTable&) = delete;
  /// As release() does.
  ~SharedTable();

  /// Adds a line, after the headings if the file is new. All of it is written or nothing. From then on no other process
  /// can write to a file until release() or take_back(). Throws OutputError, or Interrupted if the user asks to stop
  /// while others write.
  void add(const std::string& line);
  /// Lets others write.
  void release();
  /// Removes the line that was added, as long as others cannot write. What went into a stream stays there.
  void take_back();

 private:
  void lock();
  void refuse_if_other_headings();
  std::string first_line() const;
  bool ends_within_line() const;

  std::string path_;
  std::string headings_;
  std::string what_;
  int file_ = -1;  // open and locked, or -1
  long long size_before_ = 0;
};

}  // namespace lockstep::cli::host
