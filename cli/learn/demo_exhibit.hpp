#pragma once

#include <string>
#include <vector>

#include "demo_run.hpp"
#include "host/terminal.hpp"

namespace lockstep::cli::learn {

// An exhibit as a block of lines, which can be placed beside others.

using Lines = std::vector<std::string>;

/// The lines of a text.
Lines lines_of(const std::string& text);

/// The width of each block where that many share a screen of the given width: as many side by side as stay readable.
std::size_t block_width(std::size_t blocks, std::size_t width);

/// The blocks, those of block_width() side by side.
std::string side_by_side(const std::vector<Lines>& blocks, std::size_t width);

/// The machine before the run: what each processor holds, and the source of a program.
Lines before_the_run(const ShownRun& run, std::size_t width, const host::Style& style);

/// The messages of a cycle, what each processor holds after it, and the current line of the pseudo code.
Lines in_cycle(const ShownRun& run, Cycle cycle, std::size_t width, const host::Style& style);

/// Counts beside predictions, or the error of a failed run.
Lines after_the_run(const ShownRun& run, std::size_t width, const host::Style& style);

}  // namespace lockstep::cli::learn
