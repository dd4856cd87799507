#pragma once

#include "arithmetic.hpp"
#include "method_run.hpp"

// Shared by the tests of transpositions and conversions.
namespace lockstep {

inline Settings matrix_settings(std::uint64_t rows, std::uint64_t columns) {
  Settings settings;
  settings.matrix = MatrixSize{rows, columns};
  return settings;
}

/// The same on a machine built for it.
inline Report expect_run(std::string_view method, const std::string& machine, const Model& model,
                         const Settings& settings, const SpecCounts& spec) {
  return expect_run(BuiltMachine(machine), method, model, settings, spec);
}

/// ceil(words / limit), 1 if the limit is 0: unlimited.
inline std::uint64_t packets_of(std::uint64_t words, std::uint64_t limit) {
  return limit == 0 ? 1 : divided_up(words, limit);
}

/// beta 3, tau 0.5.
inline Model limited(PortModel ports, std::uint64_t max_packet_words) {
  Model model = model_of(ports);
  model.cost.max_packet_words = max_packet_words;
  return model;
}
inline Model copying(PortModel ports, std::uint64_t max_packet_words, double copy_cost) {
  Model model = limited(ports, max_packet_words);
  model.cost.copy_cost = copy_cost;
  return model;
}

/// n exchanges or similar steps with the given start-ups and words each, and copies.
inline double time_of(const Model& model, std::uint64_t startups, std::uint64_t words, std::uint64_t copied) {
  return 3 * static_cast<double>(startups) + 0.5 * static_cast<double>(words) +
         model.cost.copy_cost * static_cast<double>(copied);
}

}  // namespace lockstep
