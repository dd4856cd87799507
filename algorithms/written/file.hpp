#pragma once

#include <string>
#include <vector>

#include "written/plan.hpp"

// Plans as JSON (lockstep/algorithms/schedule_file.hpp).
namespace lockstep::written {

/// The plan's text: in the form of blocks, or with "chunks" if the plan has that form. `graph` is the digest of the
/// machine's graph, if it has one.
std::string text_of(const Plan& plan, const std::string& machine, const std::string& algorithm,
                    const std::string& graph);

/// Whether the text is of the form of chunks; also if it names them and is not JSON, which reading it reports.
bool has_chunks(const std::string& text);

/// Reads a text of that form; errors call its file `name`, and the machine has `processors` processors, a number that a
/// text in blocks can leave out; with 0 they may be any number. Throws InputError, one line that names the file and the
/// place.
Plan read_blocks(const std::string& text, const std::string& name, Rank processors);
Plan read_chunks(const std::string& text, const std::string& name);

/// Refuses a member of another name than these, the nearest of which it may be, misspelt, so that its value would be
/// lost. `place` is where it is, "'s.json': steps[2][0]", and `of` what has it, "a message". Throws InputError, one
/// line.
void refuse_unknown(const std::string& member, const std::vector<std::string>& known, const std::string& place,
                    const std::string& of);
/// The same for the members of a schedule's document.
void refuse_unknown_member(const std::string& member, const std::string& name);

/// The members of a text in chunks other than its steps, which are not read.
Plan members_of_chunks(const std::string& text, const std::string& name);

}  // namespace lockstep::written
