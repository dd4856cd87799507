#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::written {

// The parser is large, and compiled here once for all formats.

/// Gives the text's values to the reader, until that returns false or the text is not JSON.
void parse_json(const std::string& text, nlohmann::json_sax<nlohmann::json>& reader);

/// The document in the text, without the member of that name if it is an object; discarded if the text is not JSON.
nlohmann::json json_in(const std::string& text, const char* left_out = nullptr);

}  // namespace lockstep::written
