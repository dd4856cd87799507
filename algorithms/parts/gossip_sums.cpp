#include "gossip_sums.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <utility>

#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/kept_by_machine.hpp"
#include "method/predicted.hpp"
#include "operands/predicted_operations.hpp"
#include "operands/runs.hpp"
#include "plans/bfs/timing.hpp"

namespace lockstep::parts {
namespace {

bool is_needed(SumNeeded needed, Rank rank, Rank value) {
  switch (needed) {
    case SumNeeded::up_to_own:
      return value <= rank;
    case SumNeeded::before_own:
      return value < rank;
    case SumNeeded::all:
      break;
  }
  return true;
}

/// Plans the sums of a gossip's messages. For every rank, the values that it holds are in classes: what belongs to one
/// class the rank need not tell apart from then on.
class GossipSumsPlan {
 public:
  GossipSumsPlan(const PartMoves& moves, Rank ranks, SumNeeded needed, SumOrder order)
      : order_(order), classes_(ranks, std::vector<Class>(ranks, not_needed)) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (Rank value = 0; value < ranks; ++value) {
        if (is_needed(needed, rank, value)) classes_[rank][value] = result;
      }
    }
    plan_backwards(moves);
    name_partials(needed);
  }

  GossipSums take() { return std::move(plan_); }

 private:
  using Class = std::uint32_t;
  static constexpr Class not_needed = 0;
  static constexpr Class result = 1;

  void plan_backwards(const PartMoves& moves) {
    for (auto step = moves.rbegin(); step != moves.rend(); ++step) {
      std::vector<std::span<const PartMove>> in_order;
      for_messages(*step, [&](std::span<const PartMove> message) { in_order.push_back(message); });
      std::vector<GossipSumsMessage> messages;
      for (const std::span<const PartMove> message : in_order | std::views::reverse) {
        GossipSumsMessage of_sums{message.front().from, message.front().to, sums_of(message)};
        if (of_sums.sums.empty()) continue;
        split(of_sums);
        messages.push_back(std::move(of_sums));
      }
      if (messages.empty()) continue;
      std::ranges::reverse(messages);
      plan_.steps.push_back(std::move(messages));
    }
    std::ranges::reverse(plan_.steps);
  }

  /// The values of the message in the receiver's classes, which does not hold them before.
  std::vector<GossipSum> sums_of(std::span<const PartMove> message) {
    std::vector<Rank> values;
    for (const PartMove& move : message) values.push_back(move.part);
    std::ranges::sort(values);
    std::vector<GossipSum> sums;
    std::map<Class, std::size_t> sum_of_class;
    for (const Rank value : values) {
      const Class of_value = std::exchange(classes_[message.front().to][value], not_needed);
      if (of_value == not_needed) continue;
      const auto found = sum_of_class.find(of_value);
      const bool is_joined =
          found != sum_of_class.end() && (order_ == SumOrder::any || sums[found->second].ranks.back() + 1 == value);
      if (is_joined) {
        sums[found->second].ranks.push_back(value);
      } else {
        sum_of_class[of_value] = sums.size();
        sums.push_back({{value}, {}, false});
      }
    }
    return sums;
  }

  /// The sender must tell the values of each sum apart from others.
  void split(GossipSumsMessage& message) {
    std::vector<Class>& of_sender = classes_[message.from];
    for (GossipSum& sum : message.sums) {
      std::map<Class, Class> split;
      for (const Rank value : sum.ranks) {
        const auto [found, is_new] = split.try_emplace(of_sender[value], next_class_);
        if (is_new) ++next_class_;
        of_sender[value] = found->second;
      }
      sum.replaces = split.size() == 1;
    }
  }

  void name_partials(SumNeeded needed) {
    const Rank ranks = static_cast<Rank>(classes_.size());
    std::vector<std::vector<Rank>> names(ranks, std::vector<Rank>(ranks, no_rank));  // of each value's sum
    for (Rank rank = 0; rank < ranks; ++rank) names[rank][rank] = rank;
    for (std::vector<GossipSumsMessage>& step : plan_.steps) {
      for (auto& [from, to, sums] : step) {
        for (GossipSum& sum : sums) {
          for (const Rank value : sum.ranks) {
            if (names[from][value] == value) sum.partials.push_back(value);
            if (sum.replaces) names[from][value] = sum.ranks.front();
            names[to][value] = sum.ranks.front();
          }
        }
      }
    }
    plan_.results.resize(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (Rank value = 0; value < ranks; ++value) {
        if (is_needed(needed, rank, value) && names[rank][value] == value) plan_.results[rank].push_back(value);
      }
    }
  }

  SumOrder order_;
  std::vector<std::vector<Class>> classes_;  // by rank and value
  Class next_class_ = result + 1;
  GossipSums plan_;
};

void count_combinations(GossipSums& plan) {
  const auto ranks = static_cast<Rank>(plan.results.size());
  struct Charge {
    Cycle cycle;
    Wide operations;
  };
  std::vector<std::vector<Charge>> charges(ranks);
  std::vector<Cycle> ready(ranks);  // when a rank has done with its messages
  for (Cycle step = 0; step < plan.steps.size(); ++step) {
    for (const auto& [from, to, sums] : plan.steps[step]) {
      Wide operations = 0;
      for (const GossipSum& sum : sums) operations += sum.partials.size() - 1;
      charges[from].push_back({step, operations});
      ready[from] = std::max(ready[from], step);
      ready[to] = step + 1;
    }
  }
  operands::MostOperations most;
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (!plan.results[rank].empty()) charges[rank].push_back({ready[rank], plan.results[rank].size() - 1});
    for (const auto& [cycle, operations] : charges[rank]) {
      plan.combinations += operations;
      most.charge(cycle, operations);
    }
    most.next_processor();
  }
  plan.most_combinations = most.sum();
}

}  // namespace

std::shared_ptr<const GossipSums> gossip_sums(const MachineSpec& machine, const Model& model, SumNeeded needed,
                                              SumOrder order) {
  static method::KeptByMachine<GossipSums> kept;
  const std::uint64_t kind = (bfs::all_at_once(model) ? 1U : 0U) + 2U * static_cast<std::uint64_t>(needed) +
                             (order == SumOrder::any ? 0U : 8U);
  return kept.find(machine, kind, [&] {
    const auto moves = gossip(machine, model, GossipMessage::all);
    GossipSums plan = GossipSumsPlan(*moves, static_cast<Rank>(machine.processors), needed, order).take();
    count_combinations(plan);
    return plan;
  });
}

SumOrder sum_order(const Settings& settings) {
  return find_operator(*settings.operator_name).commutative ? SumOrder::any : SumOrder::of_ranks;
}

Prediction predict_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings,
                               SumNeeded needed) {
  const auto plan = gossip_sums(machine, model, needed, sum_order(settings));
  const Wide m = *settings.words;
  method::StepLengths lengths(model.cost);
  Wide messages = 0;
  Wide sums = 0;
  for (const std::vector<GossipSumsMessage>& step : plan->steps) {
    std::size_t longest = 0;
    for (const GossipSumsMessage& message : step) {
      longest = std::max(longest, message.sums.size());
      sums += message.sums.size();
    }
    messages += step.size();
    lengths.add(1, longest * m);
  }
  Prediction prediction =
      method::predicted(lengths, messages, sums * m, {"as planned", "as planned", "sums m", "the longest messages"});
  operands::predict_operations(settings, plan->combinations * m, "m for each combination", plan->most_combinations * m,
                               prediction);
  return prediction;
}

std::uint64_t bytes_of_gossip_sums(const MachineSpec& machine, const Model& model, const Settings& settings,
                                   SumNeeded needed) {
  constexpr std::uint64_t frame = 1000;  // of the program of a processor
  constexpr std::uint64_t of_sum = 300;  // in the plan, at both ends of a message, and where it is held
  constexpr std::uint64_t of_move = 3 * sizeof(Rank);
  const Wide processors = machine.processors;
  const auto plan = gossip_sums(machine, model, needed, sum_order(settings));
  Wide sums = processors;
  Wide text = 0;  // pieces of all strings
  for (const std::vector<GossipSumsMessage>& step : plan->steps) {
    for (const GossipSumsMessage& message : step) {
      sums += message.sums.size();
      for (const GossipSum& sum : message.sums) text += sum.ranks.size();
    }
  }
  const Wide planned = bytes_of_gossip(machine, model, GossipMessage::all) + processors * processors * of_move;
  const bool is_concat = operands::is_concat(settings);
  const Wide strings = is_concat ? 2 * sums * *settings.words * sizeof(std::string) : 0;
  // Beside its own value a processor has a sum, and one is under way; where they are judged it keeps what it receives.
  // One that needs other sums than its neighbours has more of them.
  const Wide halves = needed == SumNeeded::all ? 3 : 7;
  const Wide numbers = is_concat                        ? 0
                       : operands::may_absorb(settings) ? 3 * sums * allocated_bytes(*settings.words)
                                                        : halves * processors * allocated_bytes(*settings.words) / 2;
  const Wide of_strings =
      is_concat ? 2 * (text + processors * processors) * operands::text_bytes(machine, settings) / processors : 0;
  const Wide of_machine = is_concat ? machine_bytes<operands::Runs<Strings>>(machine, model)
                                    : machine_bytes<operands::Runs<Block>>(machine, model);
  return saturated(of_machine + processors * frame + planned + sums * of_sum + strings + numbers + of_strings +
                   (is_concat ? 3 : 1) * operands::value_bytes(machine, settings));
}

}  // namespace lockstep::parts
