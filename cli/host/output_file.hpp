#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interrupt.hpp"
#include "lockstep/algorithms/new_file.hpp"

namespace lockstep::cli::host {

/// Writes a text that may be too long to hold in memory.
using TextWriter = std::function<void(std::ostream& out)>;

/// Throws OutputError for the path, with the reason that is in errno.
[[noreturn]] void refuse_output(const std::string& path);

/// Writes the text to an open file; returns whether all of it was written, else the reason is in errno.
bool write_whole(int file, std::string_view text);

/// Passes the output of `write` to `take`, in pieces. Throws what both throw, and Interrupted if the user interrupts a
/// long wait.
void write_in_pieces(const TextWriter& write, const PatientWait& wait,
                     const std::function<void(std::string_view)>& take);

/// Writes to standard output. A reader that has gone is not an error; throws OutputError for any other error, and
/// Interrupted if the user interrupts a long wait for a reader.
void write_output(std::string_view text);
void write_output(const TextWriter& write);

/// An open pipe or device.
class Stream {
 public:
  /// Waits until a pipe has a reader. Throws OutputError, or Interrupted if the user interrupts the wait.
  explicit Stream(const std::string& path);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Waits like the constructor, and throws the same.
  void write(std::string_view text) const;

 private:
  std::string path_;
  int file_;
};

/// Whether the path exists and is neither a file nor a directory: a pipe, a device.
bool is_stream(const std::string& path);

/// An output that the user named: a file, or "-" for standard output. The constructor checks whether it can be written.
class OutputFile {
 public:
  /// Throws OutputError if it cannot.
  explicit OutputFile(std::string path);

  /// Does what may fail or take time; nothing is visible yet: a file is written beside its place, a pipe is opened, to
  /// which `write` writes on publication. Throws OutputError, or Interrupted if the user interrupts.
  void prepare(TextWriter write);
  void prepare(std::string text);
  /// Puts the prepared output in place, replacing a file as a whole. Throws the same.
  void publish();
  /// Prepares and publishes.
  void write(std::string text);

  bool is_standard_output() const { return path_ == "-"; }
  /// Whether a file is prepared that will replace the old one.
  bool is_new_file() const { return file_.has_value(); }
  /// Whether it can be written again: a file, not a stream.
  bool is_file() const;

 private:
  std::string path_;
  TextWriter write_;  // for a stream
  std::optional<NewFile> file_;
  std::optional<Stream> stream_;
};

/// Null if there is none.
inline OutputFile* pointer_to(std::optional<OutputFile>& output) { return output ? &*output : nullptr; }

/// Publishes all of these, of which some may be null: first streams, which are likelier to fail, then calls `show`,
/// then the files; an interrupt during an earlier wait does not keep the files from their places.
void publish(std::span<OutputFile* const> outputs, const std::function<void()>& show);

}  // namespace lockstep::cli::host
