#include "comma_list.hpp"

namespace lockstep::method {

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> fields;
  if (text.empty()) return fields;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    fields.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  fields.push_back(text);
  return fields;
}

}  // namespace lockstep::method
