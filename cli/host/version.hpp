#pragma once

#include <string_view>

namespace lockstep::cli::host {

/// "0.1.0".
extern const std::string_view version;

/// The version of what JSON documents and CSV rows hold; it changes when a field goes away or means something else.
inline constexpr int schema = 1;

}  // namespace lockstep::cli::host
