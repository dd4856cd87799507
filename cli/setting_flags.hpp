#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli {

/// How one member of Settings is given on the command line and shown in reports.
struct SettingFlag {
  std::string_view name;         ///< as methods name the parameter; the flag is "--" + name
  std::string_view type;         ///< what help shows for the value; empty if it takes none
  std::string_view description;  ///< for help
  void (*set)(Settings&, const std::string& text);
  /// The value; null if there is none.
  nlohmann::ordered_json (*value)(const Settings&);

  std::string flag() const { return "--" + std::string(name); }
};

/// One for every member of Settings, in the order in which people should see them.
std::span<const SettingFlag> setting_flags();

/// Whether the method has the parameter of that name. All take "seed".
bool takes(const Method& method, std::string_view name);

/// Throws InputError, naming the parameters that the method has, if a parameter is set that it has not.
void refuse_foreign_settings(const Method& method, const Settings& settings);

/// The method's parameters with their values: {"words": 4, "root": 0, "seed": 1}.
nlohmann::ordered_json setting_values(const Method& method, const Settings& settings);

/// The same for people, without those that have no value on this machine:
/// "<before>words<between>4 <before>root<between>0 ...".
std::string setting_text(const Method& method, const Settings& settings, const std::string& before,
                         const std::string& between);

}  // namespace lockstep::cli
