#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::flags {

/// The flag of that parameter; null if there is none.
const SettingFlag* find_setting(std::string_view name);

/// Whether the method has the parameter of that name. All take "seed".
bool takes(const Method& method, std::string_view name);

/// Throws InputError, naming the method's parameters, if one is set that the method does not have.
void refuse_foreign_settings(const Method& method, const Settings& settings);

/// The method's parameters with their values: {"words": 4, "root": 0, "seed": 1}.
nlohmann::ordered_json setting_values(const Method& method, const Settings& settings);

/// The same as text, without those that have no value on this machine:
/// "<before>words<between>4 <before>root<between>0 ...".
std::string setting_text(const Method& method, const Settings& settings, const std::string& before,
                         const std::string& between);

}  // namespace lockstep::cli::flags
