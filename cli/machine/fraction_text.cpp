#include "fraction_text.hpp"

#include <nlohmann/json.hpp>

#include "host/number_text.hpp"

namespace lockstep::cli::machine {

std::string fraction_text(const std::optional<Fraction>& fraction) {
  if (!fraction) return "not known";
  if (fraction->denominator() == 1) return fraction->to_string();
  return fraction->to_string() + " = " + host::short_number(fraction->to_double());
}

nlohmann::ordered_json json_fraction(const std::optional<Fraction>& fraction) {
  if (!fraction) return {};
  return {{"exact", fraction->to_string()}, {"value", fraction->to_double()}};
}

}  // namespace lockstep::cli::machine
