#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../sanitized.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/port_models.hpp"

namespace lockstep {

/// The machines of a family, small ones first. On the large ones a total exchange is still quick; sanitizers run
/// smaller ones in place of three.
inline const std::map<std::string_view, std::vector<std::string>>& machines_by_family() {
  static const std::map<std::string_view, std::vector<std::string>> by_family{
      {"hypercube", {"hypercube:0", "hypercube:1", "hypercube:4", "hypercube:7"}},
      {"incomplete-hypercube", {"hypercube:1+0", "hypercube:4+2", "hypercube:6+3"}},
      {"rh", {"rh:0,0", "rh:2,1", "rh:4,1", sanitized ? "rh:2,2" : "rh:4,2"}},
      {"ring", {"ring:1", "ring:2", "ring:8", "ring:9"}},
      {"path", {"path:1", "path:2", "path:8"}},
      {"complete", {"complete:1", "complete:7", sanitized ? "complete:16" : "complete:256"}},
      {"torus", {"torus:1x1", "torus:4x3", "torus:2x3x3", "torus:2x2", "torus:4x4", "torus:5x5"}},
      {"mesh", {"mesh:1x2", "mesh:3x4", "mesh:2x3x2"}},
      {"product",
       {"product:ring:3*hypercube:2", "product:path:3*complete:4",
        sanitized ? "product:complete:5*complete:5" : "product:complete:16*complete:16"}},
      {"ccc", {"ccc:3", "ccc:4"}},
      {"shuffle-exchange", {"shuffle-exchange:1", "shuffle-exchange:2", "shuffle-exchange:6"}},
      {"star", {"star:2", "star:4", "star:5"}},
      {"pancake", {"pancake:2", "pancake:4", "pancake:5"}},
      {"circulant", {"circulant:2,1", "circulant:8,4,1", "circulant:21,5,1"}},
      {"graph", {"graph:" LOCKSTEP_GRAPHS "/petersen.json"}},
      {"bus", {"bus:1", "bus:2", "bus:5,kstar=3", "bus:8"}},
      {"shared",
       {"shared:1,kstar=1", "shared:2,kstar=1", "shared:5,kstar=2", "shared:8,kstar=8", "shared:7,kstar=4,banks=3"}},
      {"switch", {"switch:1", "switch:2", "switch:6", "switch:8"}},
      {"omega", {"omega:1", "omega:2", "omega:4", "omega:16"}},
      {"inverse-omega", {"inverse-omega:1", "inverse-omega:8"}},
      {"indirect-cube", {"indirect-cube:1", "indirect-cube:4"}},
      {"data-manipulator", {"data-manipulator:1", "data-manipulator:8"}},
  };
  return by_family;
}

/// The machines of one family. Throws std::out_of_range with its name.
inline const std::vector<std::string>& machines_of(std::string_view family) {
  const auto found = machines_by_family().find(family);
  if (found != machines_by_family().end()) return found->second;
  throw std::out_of_range("machines_by_family() in tests/algorithms/catalogue_cases.hpp has no " + std::string(family));
}

/// A method and a machine of its families.
struct Case {
  const Method* method;
  std::string machine;
};
inline std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.method->name << " on " << one.machine;
}

/// Whether the method has the parameter.
inline bool takes(const Method& method, std::string_view name) {
  return std::any_of(method.parameters.begin(), method.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

/// The settings that the method requires, with a small search.
inline Settings required_settings(const Method& method) {
  Settings settings;
  if (takes(method, "tries")) settings.tries = 20;
  if (takes(method, "from")) {
    settings.from = "row-consecutive";
    settings.to = "gray:column-cyclic";
  }
  if (takes(method, "pairs")) {
    settings.words = 4;
    settings.pairs = "3:0,2:3,0:1";  // a dimension and a bit of the index, two dimensions, two bits of the index
  }
  return settings;
}

/// Whether the method runs on a machine of that size with those settings, e.g. on tori that are square only.
inline bool accepts(const Method& method, const MachineSpec& machine, Settings settings) {
  try {
    method.resolve(machine, method.defaults, settings);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

/// Whether the method sends copies, so that one message more or less does not matter.
inline bool sends_copies(const Method& method) {
  static const std::set<std::string_view> copying{
      "broadcast/corrected-tree",
      "broadcast/msbt-redundant",
  };
  return copying.contains(method.name);
}

/// Whether the method plans all messages of the whole machine before it runs.
inline bool plans_all(const Method& method) {
  const std::string_view own_name = method.name.substr(method.name.find('/') + 1);
  constexpr std::array<std::string_view, 9> planned = {"greedy",         "search",         "multiport",
                                                       "in-order-trees", "rarest-first",   "scatter-rarest-first",
                                                       "gossip",         "scatter-gossip", "gossip-sums"};
  return std::ranges::find(planned, own_name) != planned.end();
}

/// Every method on every machine of its families that it accepts; only on small ones if it plans all messages.
inline std::vector<Case> catalogue_cases() {
  std::vector<Case> all;
  for (const Method* method : catalogue()) {
    for (const std::string_view family : method->families) {
      const auto found = machines_by_family().find(family);
      if (found == machines_by_family().end()) continue;  // CatalogueTable fails
      for (const std::string& machine : found->second) {
        const MachineSpec spec = parse_machine(machine);
        if (plans_all(*method) && spec.processors > 32) continue;
        if (accepts(*method, spec, required_settings(*method))) all.push_back({method, machine});
      }
    }
  }
  return all;
}

/// A name for its test, of letters, digits and underscores.
inline std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string text = std::string(info.param.method->name) + "_on_" + info.param.machine;
  std::replace_if(
      text.begin(), text.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return text;
}

}  // namespace lockstep
