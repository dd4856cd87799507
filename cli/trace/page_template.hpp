#pragma once

#include <string_view>

namespace lockstep::cli::trace {

/// cli/trace/page/page.html, which is compiled in.
std::string_view page_template();

}  // namespace lockstep::cli::trace
