#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What barriers share: their parameters, the processors' tokens, and the judgement. Processors arrive in cycles that
// --seed draws, up to --arrivals; none may leave before the last has arrived.
namespace lockstep::barrier {

inline constexpr NumberParameter words_parameter{{"words", "words of one token, at least 1", "1"}, &Settings::words};
inline constexpr NumberParameter arrivals_parameter{
    {"arrivals", "last cycle in which a processor may arrive: each draws one from 0 on, by --seed", "0"},
    &Settings::arrivals,
    {.least = 0, .most = 1'000'000'000, .otherwise = 0}};

/// Defaults and ranges of --words and --arrivals.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// The entry of a barrier with its defaults filled in: the operation's names, its parameters, resolve() and bytes().
Method with_defaults(Method own);

/// A processor's token at the barrier, and when it leaves. The token is evidence of arrivals: every processor has words
/// of its own, sums cover the arrivals that a token attests, and its number is the latest arrival.
struct Attendance {
  LabelledBlock token;  ///< its own; in the end the token that releases it
  Cycle left = 0;       ///< the cycle from which on it is released
};

/// Combines the tokens: the first then attests the arrivals of both.
void take_in(LabelledBlock& token, const LabelledBlock& other);

/// When each processor arrives: in cycle 0, or in any cycle up to --arrivals with equal probability.
std::vector<Cycle> arrivals(const MachineSpec& machine, const Settings& settings);
/// The same for a run.
std::vector<Cycle> arrivals(const RunRequest& request);
/// The tokens of processors that arrive in these cycles.
PerRank<Attendance> initial_attendances(const RunRequest& request, const std::vector<Cycle>& arrived);
/// The last arrival, and the first and the last cycle in which a processor left.
std::vector<Measure> measures(const RunRequest& request, Cycle last_arrival, Cycle first_left, Cycle last_left);
/// The same from attendees that know when they left.
template <class Attendee>
std::vector<Measure> measures(const RunRequest& request, Cycle last_arrival, const PerRank<Attendee>& attendees) {
  Cycle first = std::numeric_limits<Cycle>::max();
  Cycle last = 0;
  for (const Attendee& one : attendees) {
    first = std::min(first, one.left);
    last = std::max(last, one.left);
  }
  return measures(request, last_arrival, first, last);
}
/// Judges when every processor left, and with which token; fills in wrong, data_digest, verify_seconds and measures.
void finish(const RunRequest& request, const PerRank<Attendance>& attendances, const std::vector<Cycle>& arrived,
            Outcome& outcome);

/// Runs program(self, token) on every processor from the cycle of its arrival on. A processor that has ended has left:
/// its token must then attest all arrivals, each once, and all must have arrived.
Outcome run(const RunRequest& request, Process (*program)(Processor<LabelledBlock>&, LabelledBlock&));

/// The entry of your own barrier: every processor runs the program, whose token is its own at first.
template <Process (*program)(Processor<LabelledBlock>& self, LabelledBlock& token)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .run = [](const RunRequest& request) { return run(request, program); }});
}

}  // namespace lockstep::barrier
