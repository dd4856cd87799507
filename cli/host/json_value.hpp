#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace lockstep::cli::host {

/// The value, or null if there is none.
template <class T>
nlohmann::ordered_json json_of(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace lockstep::cli::host
