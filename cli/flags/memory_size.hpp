#pragma once

#include <cstdint>
#include <string>

namespace lockstep::cli::flags {

/// "8GiB", "500MB", "1.5TiB" or "4G" in bytes: a number and its unit, B, KB, MB, GB or TB of 1000, or KiB, MiB, GiB or
/// TiB of 1024, also written K, M, G or T. Throws InputError, one line that names the flag, for another text and for
/// less than `least` bytes.
std::uint64_t parse_memory_size(const std::string& flag, const std::string& text, std::uint64_t least = 1);

}  // namespace lockstep::cli::flags
