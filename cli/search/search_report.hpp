#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command_search.hpp"

namespace lockstep::cli::search {

/// The report as text, for people.
std::string human_text(const CommandSearch& search, const TakenSchedule& taken);
/// The same as JSON, with more.
nlohmann::ordered_json json_document(const CommandSearch& search, const TakenSchedule& taken);

}  // namespace lockstep::cli::search
