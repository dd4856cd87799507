#include "output_directory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>

#include "lockstep/algorithms/new_file.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::host {
namespace {

namespace fs = std::filesystem;

/// The path of the directory to make.
fs::path parent_of(const std::string& path) {
  fs::path place = fs::path(path).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // of "here/"
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

void check_writable(const std::string& path, const fs::path& directory) {
  if (access(directory.c_str(), W_OK | X_OK) != 0) throw OutputError(path, std::strerror(errno));
}

constexpr std::string_view first_part = ".lockstep.";
constexpr std::string_view last_part = "directory";  // after "." or "-"

/// The process whose directory has that name; 0 if it is not such a name.
pid_t process_of(const std::string& name) {
  pid_t process = 0;
  if (!name.starts_with(first_part) || !name.ends_with(last_part)) return 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + first_part.size(), end, process);
  return error == std::errc() && rest != end && *rest == '.' ? process : 0;
}

/// Whether another process has that number.
bool is_there(pid_t process) { return process != getpid() && (kill(process, 0) == 0 || errno != ESRCH); }

}  // namespace

OutputDirectory::OutputDirectory(std::string path, bool (*is_own)(const std::string& name))
    : path_(std::move(path)), is_own_(is_own) {
  if (path_.empty()) throw OutputError(path_, "the name is empty");
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!fs::exists(status)) {
    check_writable(path_, parent_of(path_));
    return;
  }
  if (!fs::is_directory(status)) throw OutputError(path_, "it is not a directory");
  check_writable(path_, path_);
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (!is_own_(name) && !is_left_over(entry.path()))
      throw OutputError(path_, "the directory holds other files, such as " + quoted(name));
  }
  if (error) throw OutputError(path_, error.message());
}

bool OutputDirectory::is_left_over(const fs::path& entry) const {
  const pid_t process = process_of(entry.filename().string());
  std::error_code error;
  if (process <= 0 || is_there(process) || (new_ && entry == new_->name()) ||
      !fs::is_directory(fs::symlink_status(entry, error))) {
    return false;
  }
  const fs::directory_iterator files(entry, error);
  return std::ranges::all_of(begin(files), end(files), [this](const fs::directory_entry& file) {
    return is_own_(file.path().filename().string());
  });
}

void OutputDirectory::make() {
  if (new_) return;
  std::error_code ignored;
  new_.emplace(fs::is_directory(path_, ignored) ? path_ : parent_of(path_).string(), path_);
}

void OutputDirectory::write(const std::string& name, const TextWriter& write) {
  make();
  errno = 0;
  std::ofstream file(fs::path(new_->name()) / name, std::ios::binary);
  write_in_pieces(write, wait_, [&file](std::string_view piece) { file << piece; });
  file.close();
  if (!file) throw OutputError(path_, errno == 0 ? "writing failed" : std::strerror(errno));
  names_.push_back(name);
}

void OutputDirectory::put_in_place() {
  make();
  std::error_code error;
  if (!fs::exists(path_, error)) return new_->put_in_place();
  if (!names_.empty()) fs::remove(fs::path(path_) / names_.back(), error);
  std::vector<fs::path> old, left_over;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    if (is_own_(entry.path().filename().string())) old.push_back(entry.path());
    if (is_left_over(entry.path())) left_over.push_back(entry.path());
  }
  for (const fs::path& file : old) fs::remove(file, error);
  for (const fs::path& directory : left_over) fs::remove_all(directory, error);
  for (const std::string& name : names_) {
    fs::rename(fs::path(new_->name()) / name, fs::path(path_) / name, error);
    if (error) throw OutputError(path_, error.message());
  }
}

}  // namespace lockstep::cli::host
