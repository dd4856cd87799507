#pragma once

#include <string>

#include "lockstep/algorithms/method.hpp"
#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// What allreduce and reduce-scatter share: every rank has a vector of --words words, and the --operator combines them
// element by element; afterwards every rank has the result, or its part of it.
namespace lockstep::parts {

inline constexpr NumberParameter words_parameter{
    {"words", "words of the whole vector", "an element a processor, or what --input has for each rank"},
    &Settings::words};
inline constexpr Parameter output_parameter{"output", "file for the result, one number or string a line", "none"};

/// The entry of a method with its defaults: its parameters and bytes.
Method with_defaults(Method own);

/// Where neither --words nor --input gives the vector's length, one element for each of `parts` parts.
void resolve_words(Wide parts, Settings& settings);

/// Defaults and ranges of the parameters, by default one element per rank.
void resolve_in_order(const MachineSpec& machine, const Model& model, Settings& settings);
/// The same for methods that combine in another order than that of the ranks: operators that do not commute are refused
/// by name.
void resolve_in_any_order(const MachineSpec& machine, const Model& model, Settings& settings);

/// Bytes of the machine, of a vector per processor and one under way, and of the oracle.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
/// The same where the messages of the longest step hold half of all parts, which every processor lists.
std::uint64_t bytes_of_halves(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Fills in the operations of a schedule that combines all vectors once, part by part. `combining` gives its steps in
/// which parts are combined, the first of all.
void predict_operations(const MachineSpec& machine, const Model& model, const Settings& settings, const Parts& parts,
                        const std::function<PartSchedule()>& combining, Prediction& prediction);
/// The same where a rank receives no more than one message a step, so that the longest of each step are combined, of
/// `longest_sum` words in all; empty if that is not exact.
void predict_operations(const MachineSpec& machine, const Settings& settings, std::optional<Wide> longest_sum,
                        Prediction& prediction);

/// The rank's share of the result in the end.
enum class Share {
  all,  ///< the whole result
  part  ///< its own of as many parts as there are ranks
};

/// Runs the schedule on every processor, with vectors cut into these parts, and compares what every rank has.
Outcome run(const RunRequest& request, const PartSchedule& schedule, const Parts& parts, Share share);
/// The same with `parts` parts, as even as possible.
Outcome run(const RunRequest& request, const PartSchedule& schedule, Rank parts, Share share);

}  // namespace lockstep::parts
