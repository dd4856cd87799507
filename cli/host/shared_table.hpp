#pragma once

#include <string>

namespace lockstep::cli::host {

/// A text file with a line of headings to which many processes may add lines at the same time: each holds a lock on the
/// file while it reads and writes. A stream (a pipe, a device, "-" for standard output) gets the headings before every
/// line.
class SharedTable {
 public:
  /// Throws OutputError if the file cannot be written or begins with another line than `headings`, those of `what`.
  SharedTable(std::string path, std::string headings, std::string what);
  SharedTable(const SharedTable&) = delete;
  SharedTable& operator=(const SharedTable&) = delete;
  /// Releases the lock.
  ~SharedTable();

  /// Adds a line, after the headings if the file is new; writes all of it or nothing. From then on no other process can
  /// write to a file until release() or take_back(). Throws OutputError, or Interrupted if the user interrupts a wait
  /// for others.
  void add(const std::string& line);
  /// Lets others write.
  void release();
  /// Removes the added line, while others cannot write. Output to a stream stays.
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
