#pragma once

#include <string_view>
#include <vector>

namespace lockstep::method {

/// The fields between the commas; none for an empty text.
std::vector<std::string_view> split_at_commas(std::string_view text);

}  // namespace lockstep::method
