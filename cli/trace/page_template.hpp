#pragma once

#include <string_view>

namespace lockstep::cli::trace {

/// The text of cli/trace/page/page.html, compiled in.
std::string_view page_template();

}  // namespace lockstep::cli::trace
