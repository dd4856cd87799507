#pragma once

#include <functional>
#include <span>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/machines/grid.hpp"
#include "plans/packets/relay.hpp"

// What the broadcasts in packets share. The item may be cut into several parts, each with its own packets and paths.
namespace lockstep::broadcast {

inline constexpr PacketsWordsParameter packets_words_parameter{
    {"words", "words of the whole item, one or more a packet", "one a packet, or as many as the numbers of --input"}};
inline constexpr PacketsParameter packets_parameter{"packets of the item, each a word or more"};

/// As resolve(), except for --packets, with that many parts of at least a word per packet.
void resolve_parts(const MachineSpec& machine, const Model& model, Settings& settings, std::uint64_t parts);
/// A phase in which every packet goes over that many hops.
struct PipelinePhase {
  std::uint64_t hops;
  std::uint64_t interval = 1;  ///< steps between packets
};
/// The counts of phases one after the other.
StepCounts count_phases(std::span<const PipelinePhase> phases, const Split& packets, const CostModel& cost);
/// As resolve(), with the default of --packets for these phases.
void resolve_phases(const MachineSpec& machine, const Model& model, Settings& settings,
                    std::span<const PipelinePhase> phases);
/// The same for a single pipeline of that many hops.
void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings, std::uint64_t hops);

/// Completes the entry of a broadcast in packets: as with_defaults(), but with --packets and pipelined_bytes().
Method pipelined_with_defaults(Method own);

/// Steps between packets that go over that many hops.
std::uint64_t interval(const MachineSpec& machine, const Model& model, std::uint64_t hops);

/// The counts when every packet reaches each of the others once, over at most `hops` hops, which formulas call
/// `hops_text`.
Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings,
                             std::uint64_t hops, const std::string& hops_text);
/// As above for a schedule in that many parts whose steps have been counted.
Prediction predict_parts(const MachineSpec& machine, const Settings& settings, std::uint64_t parts,
                         const StepCounts& counts, std::string steps_formula, std::string longest_sum_formula);

/// A rank's relay in a pipeline that goes both ways along an axis, from the root or the root's position on the rank's
/// line, and whose first packet leaves in cycle `start`: it forwards outward what it receives from inward.
packets::Relay along_axis(const GridAxis& axis, Rank root, Rank rank, Cycle start);

/// Bytes of the machine, the items, packets on the way and the relays.
std::uint64_t pipelined_bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
/// As pipelined_bytes(), where packets cross this number of directions of links.
std::uint64_t pipelined_bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   Wide directions);

/// Runs on every processor the relays that relays(rank) returns for it, and compares all items with the root's. Packets
/// of all relays follow each other at `interval`, or else at the relays' own.
Outcome run_relays(const RunRequest& request, std::uint64_t parts,
                   const std::function<std::vector<packets::Relay>(Rank)>& relays, std::optional<Cycle> interval = {});

/// A pipeline once round all ranks, from the root on. `towards` gives the port of a rank that leads to the next one, or
/// back.
Outcome run_once_round(const RunRequest& request, const std::function<Port(Rank rank, bool forth)>& towards);

}  // namespace lockstep::broadcast
