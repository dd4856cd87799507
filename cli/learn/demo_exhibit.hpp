#pragma once

#include <string>
#include <vector>

#include "demo_run.hpp"
#include "host/terminal.hpp"

namespace lockstep::cli::learn {

// An exhibit as a block of lines, which may stand beside others.

using Lines = std::vector<std::string>;

/// The lines of a text.
Lines lines_of(const std::string& text);

/// How wide each of so many blocks is that share a screen of a width: as many stand side by side as are readable so.
std::size_t block_width(std::size_t blocks, std::size_t width);

/// The blocks, those of block_width() side by side.
std::string side_by_side(const std::vector<Lines>& blocks, std::size_t width);

/// The machine before the run: who holds what, and the text of a program.
Lines before_the_run(const ShownRun& run, std::size_t width, const host::Style& style);

/// What moves in a cycle, who holds what then, and which line of the pseudo code runs.
Lines in_cycle(const ShownRun& run, Cycle cycle, std::size_t width, const host::Style& style);

/// Counts beside predictions, or what the machine says of a run that failed.
Lines after_the_run(const ShownRun& run, std::size_t width, const host::Style& style);

}  // namespace lockstep::cli::learn
