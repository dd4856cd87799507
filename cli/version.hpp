#pragma once

#include <string_view>

namespace lockstep::cli {

/// "0.1.0".
extern const std::string_view version;

}  // namespace lockstep::cli
