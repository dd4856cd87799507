#include "lockstep/machines/input_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {
namespace {

[[noreturn]] void refuse() { throw std::invalid_argument(std::strerror(errno)); }

/// Appends to the file; a file in memory takes everything or fails.
void append(int file, const char* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t written = write(file, bytes + done, count - done);
    if (written < 0 && errno != EINTR) refuse();
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

/// A file in memory with all of standard input. It stays open as long as the process runs.
int kept_input() {
  const int file = memfd_create("standard input", MFD_CLOEXEC);
  if (file < 0) refuse();
  const std::uint64_t most = available_memory() / 2;
  std::uint64_t bytes = 0;
  for (std::array<char, 1 << 16> part{};;) {
    const ssize_t count = read(STDIN_FILENO, part.data(), part.size());
    if (count < 0 && errno != EINTR) refuse();
    if (count == 0) return file;
    if (count < 0) continue;
    bytes += static_cast<std::uint64_t>(count);
    if (bytes > most) {
      throw std::invalid_argument("it has more than " + format_bytes(most) + ", half of the memory that is available");
    }
    append(file, part.data(), static_cast<std::size_t>(count));
  }
}

/// A regular file from which nothing has been read needs no copy.
int opened_input() {
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) != 0) refuse();
  const bool is_whole_file = S_ISREG(status.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
  return is_whole_file ? STDIN_FILENO : kept_input();
}

}  // namespace

bool is_standard_input(const std::string& path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

std::string input_name(const std::string& path) { return is_standard_input(path) ? "standard input" : printable(path); }

std::string input_place(const std::string& path) {
  if (!is_standard_input(path)) return path;
  static const int file = opened_input();
  return "/proc/self/fd/" + std::to_string(file);
}

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t most = 0;
  bool in_string = false;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char letter = text[index];
    if (in_string) {
      if (letter == '\\') ++index;
      in_string = letter != '"';
    } else if (letter == '"') {
      in_string = true;
    } else if (letter == '[' || letter == '{') {
      most = std::max(most, ++depth);
    } else if ((letter == ']' || letter == '}') && depth > 0) {
      --depth;
    }
  }
  return most;
}

}  // namespace lockstep
