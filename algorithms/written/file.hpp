#pragma once

#include <string>

#include "written/plan.hpp"

// Plans as JSON (lockstep/algorithms/schedule_file.hpp).
namespace lockstep::written {

/// The plan's text: in the form of blocks, or with "chunks" if the plan has that form.
std::string text_of(const Plan& plan, const std::string& machine, const std::string& algorithm);

/// Whether the text is of the form of chunks.
bool has_chunks(const std::string& text);

/// Reads a text of that form; errors call its file `name`, and the machine has `processors` processors, a number that a
/// text in blocks can leave out. Throws InputError, one line that names the file and the place.
Plan read_blocks(const std::string& text, const std::string& name, Rank processors);
Plan read_chunks(const std::string& text, const std::string& name);

/// The members of a text in chunks other than its steps, which are not read.
Plan members_of_chunks(const std::string& text, const std::string& name);

}  // namespace lockstep::written
