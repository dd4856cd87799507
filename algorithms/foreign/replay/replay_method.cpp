#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "lockstep/algorithms/replay.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "matching.hpp"
#include "replay_plan.hpp"
#include "replay_run.hpp"
#include "written/written_method.hpp"

namespace lockstep {
namespace {

constexpr Parameter word_bytes_parameter{"word-bytes", "bytes of a word", "8, or 1 of GOAL"};

/// Messages and words that must cross one port or link.
struct Load {
  std::uint64_t messages = 0;
  Wide words = 0;

  void add(std::uint64_t length) {
    ++messages;
    words += length;
  }
};

/// Whether the matching of messages and receives does not depend on ports.
bool has_one_matching(const ReplayProgram& program) {
  std::set<std::tuple<Rank, Rank, std::int64_t>> seen;  // sender, receiver, tag
  for (Rank rank = 0; rank < program.ranks.size(); ++rank) {
    for (const ReplayOperation& one : program.ranks[rank]) {
      if (one.verb == ReplayVerb::receive && replay::is_open(one)) return false;
      if (one.verb != ReplayVerb::send || program.keeps_order) continue;
      if (!seen.emplace(rank, one.peer, one.tag).second) return false;
    }
  }
  return true;
}

std::string length_text(std::uint64_t words) {
  return words == any_length ? "any number of words" : counted(words, "word");
}

}  // namespace

const Method& ReplayProgram::method() const { return replay_method(); }

void ReplayProgram::resolve(const MachineSpec& machine, const Model& model, Settings& settings) const {
  written::refuse_other_size(*this, machine);
  if (model.ports == PortModel::ring)
    throw InputError("--ports ring is for methods of rings; traces take one, one-strict and all");
  settings.word_bytes = word_bytes;
}

/// The load of the busiest port or link, and the longest chain of messages that wait for each other, where ports cannot
/// change the chain.
LowerBound ReplayProgram::lower_bound(const MachineSpec&, const Model& model, const Settings&) const {
  std::map<std::pair<Rank, Rank>, Load> loads;  // of links; of ports the other end is no_rank
  for (Rank rank = 0; rank < ranks.size(); ++rank) {
    for (const ReplayOperation& one : ranks[rank]) {
      if (one.verb != ReplayVerb::send || one.peer == rank) continue;
      if (model.ports == PortModel::all) {
        loads[{rank, one.peer}].add(one.amount);
      } else {
        loads[{rank, no_rank}].add(one.amount);
        loads[{no_rank, one.peer}].add(one.amount);
      }
    }
  }
  std::uint64_t steps = 0;
  Wide words = 0;
  for (const auto& [ends, load] : loads) {
    steps = std::max(steps, load.messages);
    words = std::max(words, load.words);
  }
  try {
    if (has_one_matching(*this)) steps = std::max<std::uint64_t>(steps, replay::fewest_steps(*this));
  } catch (const RunError&) {
    return {};  // it will not run
  }
  return {.steps = steps, .longest_sum = saturated(words)};
}

std::uint64_t ReplayProgram::bytes(const MachineSpec& machine, const Model& model, const Settings&) const {
  return saturated(replay::bytes_of_replay(machine, model, *this));
}

Outcome ReplayProgram::carry_out(const RunRequest& request) const {
  const ReplayPlan plan = plan_replay(*this, request.machine, request.topology, request.model, request.options.name);
  return replay::run_replay(request, *this, plan);
}

std::optional<ForeignFormat> ReplayProgram::foreign_format() const {
  return ForeignFormat{.format = format, .name = {}, .chunks = {}, .steps = all_operations()};
}

std::string ReplayProgram::place(Rank rank, std::uint32_t operation) const {
  const ReplayOperation& one = ranks[rank][operation];
  const auto ends = [&](const char* preposition) {
    std::string text = length_text(one.amount);
    text.append(" ").append(preposition).append(" ");
    text.append(one.peer == no_rank ? "any rank" : std::to_string(one.peer)).append(", ");
    if (one.tag >= first_collective_tag) return text.append("in a collective operation");
    return one.tag == any_tag ? text.append("any tag") : text.append("tag ").append(std::to_string(one.tag));
  };
  std::string text = "rank " + std::to_string(rank) + ", line " + std::to_string(one.line);
  switch (one.verb) {
    case ReplayVerb::send:
      return text + " (send " + ends("to") + ")";
    case ReplayVerb::receive:
      return text + " (receive " + ends("from") + ")";
    case ReplayVerb::compute:
      return text + " (compute)";
    case ReplayVerb::wait:
      return text + " (wait)";
  }
  return text;
}

std::uint64_t ReplayProgram::all_operations() const {
  return std::accumulate(ranks.begin(), ranks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& of) { return sum + of.size(); });
}

const Method& replay_method() {
  static const written::Methods methods = written::methods_for(
      {std::string(replay_operation)}, {.summary = "sends and receives what another program did",
                                        .parameter = word_bytes_parameter,
                                        .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
                                        .source = "messages of another program"});
  return methods.begin()->second;
}

}  // namespace lockstep
