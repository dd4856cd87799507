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

/// Writes a text that may be longer than memory should hold.
using TextWriter = std::function<void(std::ostream& out)>;

/// Hands what `write` writes to `take`, in pieces. Throws what both throw, and Interrupted if the user asks to stop and
/// the wait has been long.
void write_in_pieces(const TextWriter& write, const PatientWait& wait,
                     const std::function<void(std::string_view)>& take);

/// Writes to standard output. A reader that has gone away is no error; throws OutputError for any other reason, and
/// Interrupted if it takes long (nobody reads) and the user asks to stop.
void write_output(std::string_view text);
void write_output(const TextWriter& write);

/// An open pipe or device.
class Stream {
 public:
  /// Waits until a pipe has a reader. Throws OutputError, or Interrupted if the user asks to stop meanwhile.
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

/// Whether the path leads to something that exists and is neither a file nor a directory: a pipe, a device.
bool is_stream(const std::string& path);

/// A place for results that the user named: a file, or "-" for standard output. The constructor finds out whether it
/// can be written.
class OutputFile {
 public:
  /// Throws OutputError if it cannot.
  explicit OutputFile(std::string path);

  /// Does what may fail or take time, but is not seen: a file is written beside its place, a pipe is opened, into which
  /// `write` writes when it is published. Throws OutputError, or Interrupted if the user asks to stop meanwhile.
  void prepare(TextWriter write);
  void prepare(std::string text);
  /// Puts what is prepared where it belongs: the whole of it in place of what a file held. Throws the same.
  void publish();
  /// Both.
  void write(std::string text);

  bool is_standard_output() const { return path_ == "-"; }
  /// Whether what is prepared is a file that will take its place.
  bool is_new_file() const { return file_.has_value(); }
  /// Whether it can be written anew: a file, and no stream.
  bool is_file() const;

 private:
  std::string path_;
  TextWriter write_;  // for a stream
  std::optional<NewFile> file_;
  std::optional<Stream> stream_;
};

/// Null if there is none.
inline OutputFile* pointer_to(std::optional<OutputFile>& output) { return output ? &*output : nullptr; }

/// Publishes all of these, of which some may be null: first what is no file, which is more likely to fail, then what
/// `show` shows, then the files, which an interrupt while something before waits does not keep from their places.
void publish(std::span<OutputFile* const> outputs, const std::function<void()>& show);

}  // namespace lockstep::cli::host
