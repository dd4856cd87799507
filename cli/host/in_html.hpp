#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// The text as HTML shows it, also within the quotes of an attribute.
std::string in_html(std::string_view text);

}  // namespace lockstep::cli::host
