#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace lockstep::cli::host {

/// The value, or null if there is none.
template <class T>
nlohmann::ordered_json json_of(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// The document in the text; discarded if it is not JSON.
nlohmann::ordered_json json_in(std::string_view text);

}  // namespace lockstep::cli::host
