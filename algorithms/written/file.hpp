#pragma once

#include <string>

#include "written/plan.hpp"

// Plans as JSON (lockstep/algorithms/schedule_file.hpp).
namespace lockstep::written {

/// The plan's text; of the form of blocks, or with "chunks" where it has that form.
std::string text_of(const Plan& plan, const std::string& machine, const std::string& algorithm);

/// Whether the text is of the form of chunks.
bool has_chunks(const std::string& text);

/// Reads a text of that form; `name` is what errors call its file, and `processors` how many the machine has, which a
/// text in blocks need not say. Throws InputError, one line that names the file and the place.
Plan read_blocks(const std::string& text, const std::string& name, Rank processors);
Plan read_chunks(const std::string& text, const std::string& name);

/// What a text in chunks says besides its steps, which are not read.
Plan members_of_chunks(const std::string& text, const std::string& name);

/// All that is in the file. Throws InputError.
std::string text_in(const std::string& path);

/// What errors call the file.
std::string name_of(const std::string& path);

}  // namespace lockstep::written
