#pragma once

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/predicted.hpp"
#include "paths.hpp"

// What the send methods share: their parameters, data, oracle, and pipelines along paths. Before the run the source
// holds an item of --words words; afterwards the destination must hold it too, and no other processor anything.
namespace lockstep::send {

inline constexpr PacketsWordsParameter words_parameter{
    {"words", "words of the whole item, one or more a packet", "one a packet on every path"}};
inline constexpr PacketsParameter packets_parameter{"packets of every path's part, each a word or more"};
inline constexpr RankParameter source_parameter{{"source", "rank that sends", "0"}, &Settings::source};
inline constexpr RankParameter destination_parameter{
    {"destination", "rank that receives", "the lowest at the greatest distance from the source"},
    &Settings::destination};

/// The paths and their parts: part r goes over path r.
struct Routes {
  std::vector<Path> paths;
  std::vector<Part> parts;  ///< at least one, even if there is no path
};

/// Default and range of --source, and the default of --destination where it is the lowest rank at the greatest
/// distance.
void resolve_source(const MachineSpec& machine, Settings& settings);
/// Defaults and ranges of --source and --destination on a hypercube or a grid.
void resolve_ends(const MachineSpec& machine, Settings& settings);

Rank source(const Settings& settings);
Rank destination(const Settings& settings);

/// Exact counts of the pipelines (saad-schultz-1985.md, Pipelines).
Prediction predict(const Model& model, const Routes& routes, method::Formulas formulas);
/// The destination is `distance` hops away, and all words leave the source and enter it, over all links of that end at
/// once with all ports and over one otherwise.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings);
/// Bytes of the machine, of what its processors hold, and of the schedule along the routes.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, const Routes& routes);
/// What every processor holds before the run: the item at the source.
PerRank<Block> initial_items(const RunRequest& request);
/// Compares what every processor holds after the run with the source's data; fills in wrong, data_digest and
/// verify_seconds.
void verify(const RunRequest& request, const PerRank<Block>& items, Outcome& outcome);

/// Pipelines every part along its path, all at once (saad-schultz-1985.md, Pipelines), and compares what every
/// processor holds with the source's data.
Outcome run(const RunRequest& request, const Routes& routes);

}  // namespace lockstep::send
