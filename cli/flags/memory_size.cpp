#include "memory_size.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::flags {

std::uint64_t parse_memory_size(const std::string& flag, const std::string& text, std::uint64_t least) {
  constexpr double most = 1e18;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string unit = text.substr(digits);
  double bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, bytes);
  bool is_size = unit == "B";
  double decimal = 1;
  double binary = 1;
  for (const char prefix : std::string_view("KMGT")) {
    decimal *= 1000;
    binary *= 1024;
    if (unit.empty() || unit.front() != prefix) continue;
    const std::string behind = unit.substr(1);
    is_size = behind.empty() || behind == "iB" || behind == "B";
    bytes *= behind == "B" ? decimal : binary;
  }
  if (!is_size || error != std::errc{} || end != text.data() + digits) {
    throw InputError(flag + " " + quoted(text) + " is not a size such as 512MiB, 500MB or 4G");
  }
  if (bytes < static_cast<double>(least) || bytes > most) {
    throw InputError(flag + " " + quoted(text) + " is out of range: " + format_bytes(least) + " to 10^6 TB");
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace lockstep::cli::flags
