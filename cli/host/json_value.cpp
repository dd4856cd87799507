#include "json_value.hpp"

namespace lockstep::cli::host {

nlohmann::ordered_json json_in(std::string_view text) { return nlohmann::ordered_json::parse(text, nullptr, false); }

}  // namespace lockstep::cli::host
