#include "setting_flags.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lockstep/core/printable.hpp"

namespace lockstep::cli::flags {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SettingFlag::Value& value) {
  return std::visit(
      [](const auto& known) {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>) {
          return Json();
        } else {
          return Json(known);
        }
      },
      value);
}

}  // namespace

const SettingFlag* find_setting(std::string_view name) {
  const auto flags = setting_flags();
  const auto found = std::ranges::find(flags, name, &SettingFlag::name);
  return found == flags.end() ? nullptr : &*found;
}

bool takes(const Method& method, std::string_view name) {
  const auto& parameters = method.parameters;
  return name == "seed" || std::any_of(parameters.begin(), parameters.end(),
                                       [&](const Parameter& parameter) { return parameter.name == name; });
}

void refuse_foreign_settings(const Method& method, const Settings& settings) {
  for (const SettingFlag& flag : setting_flags()) {
    if (takes(method, flag.name) || std::holds_alternative<std::monostate>(flag.value(settings))) continue;
    std::string text = flag.flag() + " is not a parameter of " + std::string(method.name) + ", which takes ";
    for (const Parameter& parameter : method.parameters) text += "--" + std::string(parameter.name) + ", ";
    throw InputError(text + "--seed");
  }
}

Json setting_values(const Method& method, const Settings& settings) {
  Json values = Json::object();
  for (const SettingFlag& flag : setting_flags()) {
    if (takes(method, flag.name)) values[std::string(flag.name)] = json_of(flag.value(settings));
  }
  return values;
}

std::string setting_text(const Method& method, const Settings& settings, const std::string& before,
                         const std::string& between) {
  std::string text;
  const Json values = setting_values(method, settings);
  for (const auto& [name, value] : values.items()) {
    if (value.is_null() || value == false) continue;
    text.append(text.empty() ? "" : " ").append(before).append(name);
    if (value.is_boolean()) continue;  // a flag without a value that was given
    text += between + (value.is_string() ? printable(value.get<std::string>()) : value.dump());
  }
  return text;
}

}  // namespace lockstep::cli::flags
