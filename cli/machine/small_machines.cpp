#include "small_machines.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/machines/machine_family.hpp"

namespace lockstep::cli::machine {
namespace {

/// "torus:5x5" of the example "torus:4x5".
std::string with_numbers(const std::string& example, int number) {
  std::string text;
  bool in_number = false;
  for (const char letter : example) {
    const bool is_digit = letter >= '0' && letter <= '9';
    if (is_digit && !in_number) text += std::to_string(number);
    if (!is_digit) text += letter;
    in_number = is_digit;
  }
  return text;
}

}  // namespace

std::vector<std::string> small_machines(const std::string& family) {
  constexpr std::uint64_t most = 64;
  const auto& families = machine_families();
  const auto found = std::ranges::find(families, family, &MachineFamily::name);
  std::vector<std::string> machines;
  std::uint64_t least = 1;
  for (int number = 0; found != families.end() && number <= static_cast<int>(most); ++number) {
    try {
      const MachineSpec machine = parse_machine(with_numbers(found->example, number));
      // Small machines of other sizes expose programs that are right only for powers of two.
      const bool is_far = machine.processors >= least;
      const bool is_no_power = machine.processors == 3 || machine.processors == 6;
      if (machine.processors > most || (!is_far && !is_no_power)) continue;
      machines.push_back(machine.text);
      if (is_far) least = 2 * machine.processors;
    } catch (const std::invalid_argument&) {  // not a machine, or a graph whose file is only an example
    }
  }
  if (machines.empty() && found != families.end()) {
    try {
      machines.push_back(parse_machine(found->example).text);
    } catch (const std::invalid_argument&) {  // a graph
    }
  }
  return machines;
}

}  // namespace lockstep::cli::machine
