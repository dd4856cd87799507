#include "lockstep/machines/spec_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t saturated = std::numeric_limits<std::uint64_t>::max();

std::string double_quoted(std::string_view text) { return std::string("\"").append(printable(text)).append("\""); }

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const MachineFamily& family : machine_families()) names.push_back(family.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

const MachineFamily& family_named(std::string_view name, std::string_view whole) {
  for (const MachineFamily& family : machine_families()) {
    if (family.name == name) return family;
  }
  const std::vector<std::string> names = family_names();
  std::string text = "machine " + double_quoted(whole) + ": unknown family " + double_quoted(name);
  if (const std::optional<std::string> nearest = nearest_name(name, names)) text += ", did you mean " + *nearest + "?";
  throw MachineSpecError(text + "; the families are " + listed(names));
}

MachineSpec read_machine(std::string_view text, std::string_view whole) {
  const std::size_t colon = text.find(':');
  const MachineFamily& family = family_named(text.substr(0, colon), whole);
  const bool has_parameters = colon != std::string_view::npos;
  const SpecReader reader(whole, family, has_parameters ? text.substr(colon + 1) : std::string_view());
  if (!has_parameters) reader.refuse("no colon and parameters after " + double_quoted(family.name));

  MachineSpec spec;
  spec.text = text;
  spec.family = family.name;
  family.read(reader, spec);
  reader.check_size(spec.processors);
  return spec;
}

}  // namespace

MachineSpec parse_machine(std::string_view text) {
  if (text.empty()) {
    throw MachineSpecError("machine \"\": nothing there; write FAMILY:PARAMETERS, e.g. hypercube:4; the families are " +
                           listed(family_names()));
  }
  return read_machine(text, text);
}

std::vector<std::string_view> SpecReader::split(char separator) const {
  std::vector<std::string_view> pieces;
  std::string_view rest = parameters_;
  for (std::size_t end = rest.find(separator); end != std::string_view::npos; end = rest.find(separator)) {
    pieces.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  pieces.push_back(rest);
  return pieces;
}

std::uint64_t SpecReader::number(std::string_view digits, const std::string& name) const {
  if (digits.empty()) refuse(name + " is missing");
  const bool is_plain =
      std::all_of(digits.begin(), digits.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  if (!is_plain) refuse(name + " is " + double_quoted(digits) + ", not a plain whole number");
  if (digits.size() > 1 && digits.front() == '0')
    refuse(name + " is " + double_quoted(digits) + ", with a leading zero");

  std::uint64_t value = 0;
  const std::errc error = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
  if (error != std::errc() || value > most_processors) {
    refuse(name + " is " + printable(digits) + ", more than " + std::to_string(most_processors));
  }
  return value;
}

std::uint64_t SpecReader::count(std::string_view digits, const std::string& name) const {
  const std::uint64_t value = number(digits, name);
  if (value == 0) refuse(name + " is 0");
  return value;
}

MachineSpec SpecReader::machine(std::string_view text, const std::string& name) const {
  if (text.empty()) refuse(name + " is missing");
  return read_machine(text, whole_);
}

void SpecReader::check_size(std::uint64_t processors) const {
  if (processors <= most_processors) return;
  const std::string number = processors == saturated ? "more than 2^64" : std::to_string(processors);
  refuse(number + " processors, but a machine has at most " + std::to_string(most_processors));
}

void SpecReader::refuse(const std::string& what) const {
  throw MachineSpecError("machine " + double_quoted(whole_) + ": " + what + "; write " + family_.form + ", " +
                         family_.limits + ", e.g. " + family_.example);
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? saturated : product;
}

std::uint64_t saturating_power_of_two(std::uint64_t exponent) {
  return exponent < 64 ? std::uint64_t{1} << exponent : saturated;
}

}  // namespace lockstep
