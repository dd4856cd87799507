#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lockstep/machines/fraction.hpp"

namespace lockstep::cli::machine {

/// "25/3 = 8.333333333"; "not known" if there is none.
std::string fraction_text(const std::optional<Fraction>& fraction);
/// The exact fraction as text, and its value; null if there is none.
nlohmann::ordered_json json_fraction(const std::optional<Fraction>& fraction);

}  // namespace lockstep::cli::machine
