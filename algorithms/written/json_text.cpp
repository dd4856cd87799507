#include "written/json_text.hpp"

namespace lockstep::written {

using Json = nlohmann::json;

void parse_json(const std::string& text, nlohmann::json_sax<Json>& reader) { Json::sax_parse(text, &reader); }

Json json_in(const std::string& text, const char* left_out) {
  if (left_out == nullptr) return Json::parse(text, nullptr, false);
  const auto is_wanted = [left_out](int depth, Json::parse_event_t event, const Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed != left_out;
  };
  return Json::parse(text, is_wanted, false);
}

}  // namespace lockstep::written
