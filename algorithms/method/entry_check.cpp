#include "method/entry_check.hpp"

#include <algorithm>

#include "method/brought_flags.hpp"

namespace lockstep::method {

std::string objection_to(const Method& entry, std::span<const Method* const> others) {
  const std::size_t slash = entry.name.find('/');
  const bool is_named = slash != std::string_view::npos && slash > 0 && slash + 1 < entry.name.size();
  if (!is_named) return "is not called OPERATION/METHOD";
  if (entry.operation != entry.name.substr(0, slash)) {
    return "is of another operation, \"" + std::string(entry.operation) + "\"";
  }
  if (entry.families.empty()) return "is for no family of machines";
  std::string missing;
  const auto require = [&missing](bool has, const char* member) {
    if (!has) missing.append(missing.empty() ? "has no " : ", ").append(member);
  };
  require(!entry.source.empty(), "source");
  require(!entry.summary.empty(), "summary");
  require(!entry.port_models.empty(), "port_models");
  require(entry.resolve != nullptr, "resolve");
  require(entry.predict != nullptr, "predict");
  require(entry.bytes != nullptr, "bytes");
  require(entry.run != nullptr, "run");
  if (!missing.empty()) return missing;
  const bool is_there = std::ranges::any_of(others, [&](const Method* other) {
    return other->name == entry.name &&
           std::ranges::find_first_of(other->families, entry.families) != other->families.end();
  });
  if (is_there) return "is there already";
  for (const Parameter& parameter : entry.parameters) {
    if (std::string objection = objection_to_flag(parameter); !objection.empty()) return objection;
  }
  return "";
}

}  // namespace lockstep::method
