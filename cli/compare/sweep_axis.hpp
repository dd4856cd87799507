#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lead.hpp"
#include "sweep_options.hpp"

namespace lockstep::cli::compare {

/// Whether --vary has the parameter or flag of that name.
bool is_varied(const SweepArguments& arguments, std::string_view name);
/// Whether predictions exist between any two values of it: it is a parameter or a cost.
bool is_predicted_between(std::string_view name);

/// The number of things that a sweep varies, including the machine.
std::size_t varied_things(const SweepArguments& arguments);

// The functions below are for sweeps that vary one thing.

/// Whether it is the machine, whose text is then the value.
bool is_over_machines(const SweepArguments& arguments);

/// "words", "machine".
std::string varied_name(const SweepArguments& arguments);

/// All values as given.
const std::vector<std::string>& values_of(const SweepArguments& arguments);

/// The place of a value on the axis: a number, the elements of a matrix, the processors of a machine.
double place_of(const SweepArguments& arguments, const std::string& value);

/// Why the values have no order: they are names, machines of several families, or two at one place. Empty if they have
/// one.
std::string why_no_order(const SweepArguments& arguments);

/// The values that lie between two of them.
ValuesBetween between_values(const SweepArguments& arguments);

/// "1,024 words", "beta 2.5", "hypercube:7".
std::string value_text(const SweepArguments& arguments, const std::string& value);

/// The label of the axis, with its unit: "words", "beta (seconds a start-up)".
std::string axis_label(const SweepArguments& arguments, const std::string& name);

/// The unit of modelled times, "seconds", if the costs are a preset's.
std::optional<std::string> unit_of_time(const SweepArguments& arguments);

/// The texts, in the order of their numbers if all are numbers or sizes of matrices.
std::vector<std::string> in_order(std::vector<std::string> values);

}  // namespace lockstep::cli::compare
