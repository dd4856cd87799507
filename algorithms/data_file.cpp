#include "lockstep/algorithms/data_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_read(const std::string& path, const std::string& reason) {
  throw InputError("cannot read '" + path + "': " + reason);
}

[[noreturn]] void refuse_to_write(const std::string& path, const std::string& reason) {
  throw InputError("cannot write '" + path + "': " + reason);
}

/// A link is followed, so that it stays one.
std::string place_of(const std::string& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) && fs::exists(path, ignored) ? fs::canonical(path).string() : path;
}

}  // namespace

void refuse_to_read(const std::string& path) { refuse_to_read(path, std::strerror(errno)); }

std::ifstream open_data(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse_to_read(path, error ? error.message() : "No such file or directory");
  if (fs::is_directory(status)) refuse_to_read(path, "it is a directory");
  if (!fs::is_regular_file(status)) refuse_to_read(path, "it is no regular file, and it has to be read several times");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_to_read(path);
  return file;
}

std::uint64_t data_bytes(const std::string& path) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

void check_writable(const std::string& path) {
  if (path.empty()) refuse_to_write(path, "the name is empty");
  if (path == "-") refuse_to_write(path, "data goes to a file with a name, not to standard output");
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse_to_write(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse_to_write(path, "it is no regular file");
  const fs::path directory = fs::path(place_of(path)).parent_path();
  // The file is replaced by a new one, for which the directory has to take one.
  if (access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0) {
    refuse_to_write(path, std::strerror(errno));
  }
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) refuse_to_write(path, std::strerror(errno));
}

void replace_data(const std::string& path, const std::function<void(std::ostream&)>& write) {
  check_writable(path);
  const std::string place = place_of(path);
  const std::string fresh = place + "." + std::to_string(getpid()) + ".new";
  errno = 0;
  std::ofstream file(fresh, std::ios::binary);
  write(file);
  file.close();
  if (file && std::rename(fresh.c_str(), place.c_str()) == 0) return;
  const int reason = errno;
  unlink(fresh.c_str());
  refuse_to_write(path, std::strerror(reason));
}

}  // namespace lockstep
