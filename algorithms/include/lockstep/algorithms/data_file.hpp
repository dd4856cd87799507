#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

namespace lockstep {

// Files of real data, for --input and --output. All functions throw InputError, one line that names the file; those
// that write throw OutputError. Standard input is read as input_file.hpp describes.

/// Opens a file for reading. Refuses a file that is not regular, standard input excepted, or cannot be read.
std::ifstream open_data(const std::string& path);

/// Bytes of the file; 0 if they are unknown.
std::uint64_t data_bytes(const std::string& path);

/// The content of the file.
std::string text_of_file(const std::string& path);

/// The file's name in messages: its path in quotes, or "standard input".
std::string file_name_text(const std::string& path);

/// Throws that reading failed, with the reason of errno.
[[noreturn]] void refuse_to_read(const std::string& path);

/// Throws that the file has changed since it was first read.
[[noreturn]] void refuse_changed(const std::string& path);

/// Refuses a file that replace_data could not write: "-", a directory, one in a directory that does not exist, ...
void check_writable(const std::string& path);

/// The name of the file in processes of a run that do not write it: there, writing does nothing.
inline constexpr const char* written_elsewhere = "";

/// Replaces the file at once by a new one with the output of write(stream), or leaves it unchanged.
void replace_data(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace lockstep
