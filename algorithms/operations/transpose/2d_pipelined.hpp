#pragma once

#include <utility>

#include "plans/packets/packet_cut.hpp"
#include "two_dimensional.hpp"

// What the pipelined transpositions over one and over two paths share: packets of a block follow each other over path
// 0, or those of its halves over paths 0 and H, one every cycle. `paths` is 1 or 2. Johnsson & Ho, sections 6.1.1 and
// 6.1.2 (johnsson-ho.md, Two dimensions).
namespace lockstep::transpose::pipelined {

Outcome run(std::uint32_t paths, const RunRequest& request);
void resolve(std::uint32_t paths, const MachineSpec& machine, const Model& model, Settings& settings);
Prediction predict(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings);

/// The entry over that many paths; it has its own name, known_as and summary.
template <std::uint32_t paths>
Method method(Method own) {
  own.source = paths == 1 ? "Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions)"
                          : "Johnsson & Ho, section 6.1.2 (johnsson-ho.md, Two dimensions)";
  own.parameters = {matrix_parameter, packets::packet_words_parameter};
  own.defaults = {.ports = PortModel::all};
  own.port_models = {PortModel::all};
  own.knows_paths = true;
  own.resolve = [](const MachineSpec& machine, const Model& model, Settings& settings) {
    resolve(paths, machine, model, settings);
  };
  own.predict = [](const MachineSpec& machine, const Model& model, const Settings& settings) {
    return predict(paths, machine, model, settings);
  };
  own.bytes = [](const MachineSpec& machine, const Model& model, const Settings& settings) {
    return bytes(paths, machine, model, settings);
  };
  own.run = [](const RunRequest& request) { return run(paths, request); };
  return matrix::transposition(std::move(own));
}

}  // namespace lockstep::transpose::pipelined
