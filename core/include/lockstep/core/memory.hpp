#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// Bytes that this process may still allocate within the limits of the system and its control group.
std::uint64_t available_memory();

/// "3.2 GiB".
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

}  // namespace lockstep
