#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::written {

// The parser is large, and compiled here once for all formats.

/// Gives the text's values to the reader, until that returns false or the text is not JSON.
void parse_json(const std::string& text, nlohmann::json_sax<nlohmann::json>& reader);

/// The document in the text, without the member of that name if it is an object; discarded if the text is not JSON.
nlohmann::json json_in(const std::string& text, const char* left_out = nullptr);

/// Whether a JSON number is an integer.
bool is_integer(const std::string& digits);

/// What the parser tells a reader of an error, with its place: "it is not JSON at line 2, column 4".
std::string syntax_error(const std::string& text, std::size_t position, const std::string& token,
                         const nlohmann::detail::exception& error);

/// Throws InputError with that and the file's name, if the text is not JSON.
void refuse_if_not_json(const std::string& text, const std::string& name);

}  // namespace lockstep::written
