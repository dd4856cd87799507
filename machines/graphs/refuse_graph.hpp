#pragma once

#include <stdexcept>
#include <string>

namespace lockstep {

/// Throws std::invalid_argument with that text: one line about what is wrong with a graph or its file, and where.
[[noreturn]] inline void refuse_graph(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace lockstep
