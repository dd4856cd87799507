#pragma once

#include <string_view>

namespace lockstep::cli::host {

/// "0.1.0".
extern const std::string_view version;

/// The version of the fields of JSON documents and CSV rows; it changes when a field is removed or changes its meaning.
inline constexpr int schema = 1;

}  // namespace lockstep::cli::host
