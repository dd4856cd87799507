#include "written/json_text.hpp"

#include "lockstep/machines/input_error.hpp"

namespace lockstep::written {

using Json = nlohmann::json;

namespace {

/// Reads no value, and refuses a text that is not JSON.
class SyntaxReader final : public nlohmann::json_sax<Json> {
 public:
  SyntaxReader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    throw InputError(name_ + ": " + syntax_error(text_, position, token, error));
  }

 private:
  const std::string& text_;
  const std::string& name_;
};

}  // namespace

void parse_json(const std::string& text, nlohmann::json_sax<Json>& reader) { Json::sax_parse(text, &reader); }

Json json_in(const std::string& text, const char* left_out) {
  if (left_out == nullptr) return Json::parse(text, nullptr, false);
  const auto is_wanted = [left_out](int depth, Json::parse_event_t event, const Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed != left_out;
  };
  return Json::parse(text, is_wanted, false);
}

bool is_integer(const std::string& digits) { return digits.find_first_of(".eE") == std::string::npos; }

std::string syntax_error(const std::string& text, std::size_t position, const std::string& token,
                         const nlohmann::detail::exception& error) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t index = 1; index < position && index <= text.size(); ++index) {
    const bool is_end = text[index - 1] == '\n';
    column = is_end ? 1 : column + 1;
    line += is_end ? 1 : 0;
  }
  constexpr int number_overflow = 406;  // of a double, which the parser uses for what 64 bits cannot hold
  const std::string what = error.id != number_overflow ? "it is not JSON"
                           : is_integer(token)         ? "it has an integer too large for 64 bits"
                                                       : "it has a number too large";
  return what + " at line " + std::to_string(line) + ", column " + std::to_string(column);
}

void refuse_if_not_json(const std::string& text, const std::string& name) {
  SyntaxReader reader(text, name);
  parse_json(text, reader);
}

}  // namespace lockstep::written
