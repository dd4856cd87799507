#include "lockstep/algorithms/data_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "lockstep/algorithms/new_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_to_read_for(const std::string& path, const std::string& reason) {
  throw InputError("cannot read " + file_name_text(path) + ": " + reason);
}

std::string place_of_data_file(const std::string& path) {
  try {
    return input_place(path);
  } catch (const std::invalid_argument& problem) {
    refuse_to_read_for(path, problem.what());
  }
}

}  // namespace

std::string file_name_text(const std::string& path) {
  return is_standard_input(path) ? input_name(path) : quoted(path);
}

void refuse_to_read(const std::string& path) { refuse_to_read_for(path, std::strerror(errno)); }

void refuse_changed(const std::string& path) { throw InputError(input_name(path) + " has changed meanwhile"); }

std::ifstream open_data(const std::string& path) {
  const std::string place = place_of_data_file(path);
  std::error_code error;
  const fs::file_status status = fs::status(place, error);
  if (!fs::exists(status)) refuse_to_read_for(path, error ? error.message() : "No such file or directory");
  if (fs::is_directory(status)) refuse_to_read_for(path, "it is a directory");
  if (!fs::is_regular_file(status))
    refuse_to_read_for(path, "it is no regular file, and it has to be read several times");
  errno = 0;
  std::ifstream file(place, std::ios::binary);
  if (!file) refuse_to_read(path);
  return file;
}

std::uint64_t data_bytes(const std::string& path) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(place_of_data_file(path), error);
  return error ? 0 : bytes;
}

std::string text_of_file(const std::string& path) {
  std::ifstream file = open_data(path);
  std::string text;
  for (std::array<char, 1 << 16> part{}; file;) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) refuse_to_read(path);
  return text;
}

void check_writable(const std::string& path) {
  if (path == "-") throw OutputError(path, "data goes to a file with a name, not to standard output");
  check_replaceable(path);
}

void replace_data(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == written_elsewhere) return;
  check_writable(path);
  NewFile file(path);
  file.write(write);
  file.put_in_place();
}

}  // namespace lockstep
