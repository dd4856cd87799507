#include "dimension_list.hpp"

#include "comma_list.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::method {

std::vector<Port> parse_dimensions(std::string_view flag, std::string_view text, Port dimensions) {
  const std::string given = std::string(flag) + " " + quoted(text);
  const std::vector<std::string_view> fields = split_at_commas(text);
  if (fields.size() != dimensions) {
    throw InputError(given + " names " + counted(fields.size(), "dimension") + "; hypercube:" +
                     std::to_string(dimensions) + " has " + std::to_string(dimensions) + ", each to be named once");
  }
  std::vector<Port> list;
  std::vector<bool> seen(dimensions);
  for (const std::string_view field : fields) {
    list.push_back(static_cast<Port>(parse_whole_number(std::string(flag) + ": dimension", field, 0, dimensions - 1)));
    if (seen[list.back()]) throw InputError(given + " names dimension " + std::to_string(list.back()) + " twice");
    seen[list.back()] = true;
  }
  return list;
}

}  // namespace lockstep::method
