#include <algorithm>
#include <string>

#include "host/number_text.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

// Collectives on switches and complete graphs, where all ranks do the same in a step (collectives.md).
namespace lockstep::cli::texts::pseudo_code::collectives {
namespace {

std::string parts(std::uint64_t number) { return number == 1 ? "a part" : grouped(number) + " parts"; }
std::string blocks(std::uint64_t number) { return number == 1 ? "a block" : grouped(number) + " blocks"; }
std::string ranks(std::uint64_t number) {
  return number == 1 ? "own values" : "those of " + grouped(number) + " ranks";
}

/// The skips s_0 = 1, .., s_q = p of the circulant graph: each is half the next, rounded up.
std::vector<std::uint64_t> skips(std::uint64_t p) {
  std::vector<std::uint64_t> all{p};
  while (all.back() > 1) all.push_back((all.back() + 1) / 2);
  std::ranges::reverse(all);
  return all;
}

/// The line and the data for every step over the skips, from s_0 upwards.
std::vector<ProgramPlace> over_skips(std::uint64_t p, std::size_t line, std::string (*moved)(std::uint64_t)) {
  const std::vector<std::uint64_t> s = skips(p);
  std::vector<ProgramPlace> places;
  for (std::size_t k = 0; k + 1 < s.size(); ++k) {
    places.push_back({line, value("k", k) + ": skip " + grouped(s[k]) + ", " + moved(s[k + 1] - s[k])});
  }
  return places;
}

std::vector<ProgramPlace> reversed(std::vector<ProgramPlace> places) {
  std::ranges::reverse(places);
  return places;
}

std::vector<ProgramPlace> joined(std::vector<ProgramPlace> first, const std::vector<ProgramPlace>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A line for each of the given number of steps t.
std::vector<ProgramPlace> steps(std::uint64_t number, std::size_t line) {
  std::vector<ProgramPlace> places;
  for (std::uint64_t t = 0; t < number; ++t) places.push_back({line, value("t", t)});
  return places;
}

std::string halves(const char* variable, std::uint64_t distance) {
  return value(variable, distance) + ": " + parts(distance);
}

/// Distances q/2, .., 1 or 1, .., q/2 of a power of two, with equally many parts.
std::vector<ProgramPlace> halving(std::uint64_t participants, std::size_t line) {
  std::vector<ProgramPlace> places;
  for (std::uint64_t d = participants / 2; d > 0; d /= 2) places.push_back({line, halves("d", d)});
  return places;
}

std::uint64_t floor_power(std::uint64_t p) {
  std::uint64_t power = 1;
  while (power <= p / 2) power *= 2;
  return power;
}

/// A program of the 2^Q ranks that take part; any others join one of them first and receive the result from it last.
template <class Between>
PseudoProgram with_pairs(const RunPlan& plan, std::string_view method, Between between) {
  const std::uint64_t pairs = plan.machine.processors - floor_power(plan.machine.processors);
  if (pairs == 0) {
    const ProgramText text(method);
    return text.with(listed(between(text)));
  }
  const ProgramText text(method, {"pairs"});
  std::vector<ProgramPlace> places = joined({{text.line("join"), value("r", pairs)}}, between(text));
  places.push_back({text.line("leave"), value("r", pairs)});
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> allgather_circulant(const RunPlan& plan) {
  const ProgramText text("allgather/circulant");
  return text.with(listed(over_skips(plan.machine.processors, text.line("send"), blocks)));
}

std::optional<PseudoProgram> allgather_neighbour_exchange(const RunPlan& plan) {
  if (plan.machine.processors % 2 == 1) return {};
  const ProgramText text("allgather/neighbour-exchange");
  return text.with(lasts(plan.machine.processors / 2, [=](Cycle t) {
    return t == 0 ? ProgramPlace{text.line("first"), "a block"}
                  : ProgramPlace{text.line("exchange"), value("t", t) + ": 2 blocks"};
  }));
}

std::optional<PseudoProgram> allgather_sparbit(const RunPlan& plan) {
  const ProgramText text("allgather/sparbit");
  const std::uint64_t p = plan.machine.processors;
  std::vector<ProgramPlace> places;
  for (std::uint64_t d = floor_power(p) == p ? p / 2 : floor_power(p); d > 0; d /= 2) {
    places.push_back({text.line("send"), value("d", d) + ": " + blocks(((p - 1) / d + 1) / 2)});
  }
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> allreduce_circulant(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  const ProgramText text("allreduce/circulant");
  return text.with(
      listed(joined(reversed(over_skips(p, text.line("scatter"), parts)), over_skips(p, text.line("gather"), parts))));
}

std::optional<PseudoProgram> allreduce_rabenseifner(const RunPlan& plan) {
  const std::uint64_t participants = floor_power(plan.machine.processors);
  return with_pairs(plan, "allreduce/rabenseifner", [=](const ProgramText& text) {
    return joined(halving(participants, text.line("scatter")), reversed(halving(participants, text.line("gather"))));
  });
}

std::optional<PseudoProgram> allreduce_recursive_doubling(const RunPlan& plan) {
  const std::uint64_t participants = floor_power(plan.machine.processors);
  return with_pairs(plan, "allreduce/recursive-doubling", [=](const ProgramText& text) {
    std::vector<ProgramPlace> places;
    for (std::uint64_t d = 1; d < participants; d *= 2) places.push_back({text.line("exchange"), value("d", d)});
    return places;
  });
}

std::optional<PseudoProgram> allreduce_ring(const RunPlan& plan) {
  const std::uint64_t p = plan.machine.processors;
  const ProgramText text("allreduce/ring");
  return text.with(listed(joined(steps(p - 1, text.line("scatter")), steps(p - 1, text.line("gather")))));
}

std::optional<PseudoProgram> alltoall_bruck(const RunPlan& plan) {
  const ProgramText text("alltoall/bruck");
  const std::uint64_t p = plan.machine.processors, radix = *plan.settings.radix;
  std::vector<ProgramPlace> places;
  for (std::uint64_t weight = 1, x = 0; weight < p; weight *= radix, ++x) {
    for (std::uint64_t z = 1; z < radix && z * weight < p; ++z) {
      places.push_back({text.line("send"), value("x", x) + ", " + value("z", z) + ": " + grouped(z * weight) + " on"});
    }
  }
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> alltoall_pairwise(const RunPlan& plan) {
  const ProgramText text("alltoall/pairwise");
  return text.with(
      repeats(text.line("send"), plan.machine.processors - 1, [](Cycle cycle) { return value("t", cycle + 1); }));
}

// If processors arrive late, only the planner knows the cycle of each round.
std::optional<PseudoProgram> barrier_dissemination(const RunPlan& plan) {
  if (plan.settings.arrivals != 0U) return {};
  const ProgramText text("barrier/dissemination");
  return text.with(
      repeats(text.line("send"), doublings(plan.machine.processors), [](Cycle i) { return value("i", i); }));
}

std::optional<PseudoProgram> broadcast_scatter_allgather(const RunPlan& plan) {
  const ProgramText text("broadcast/scatter-allgather");
  const std::uint64_t p = plan.machine.processors;
  std::vector<ProgramPlace> places;
  for (std::uint64_t i = doublings(p); i-- > 0;)
    places.push_back({text.line("scatter"), value("d", std::uint64_t{1} << i)});
  return text.with(listed(joined(std::move(places), steps(p - 1, text.line("gather")))));
}

std::optional<PseudoProgram> exscan_123_doubling(const RunPlan& plan) {
  const ProgramText text("exscan/123-doubling");
  return text.with(lasts(predicted_steps(plan), [=](Cycle t) {
    if (t == 0) return ProgramPlace{text.line("first"), "d = 1"};
    if (t == 1) return ProgramPlace{text.line("second"), "d = 2"};
    return ProgramPlace{text.line("send"), value("d", std::uint64_t{3} << (t - 2))};
  }));
}

std::optional<PseudoProgram> reduce_scatter_circulant(const RunPlan& plan) {
  const ProgramText text("reduce-scatter/circulant");
  return text.with(listed(reversed(over_skips(plan.machine.processors, text.line("send"), parts))));
}

std::optional<PseudoProgram> reduce_scatter_halving(const RunPlan& plan) {
  const ProgramText text("reduce-scatter/halving");
  return text.with(listed(halving(plan.machine.processors, text.line("send"))));
}

std::optional<PseudoProgram> reduce_scatter_pairwise(const RunPlan& plan) {
  const ProgramText text("reduce-scatter/pairwise");
  return text.with(
      repeats(text.line("send"), plan.machine.processors - 1, [](Cycle cycle) { return value("t", cycle + 1); }));
}

std::optional<PseudoProgram> reduce_scatter_ring(const RunPlan& plan) {
  const ProgramText text("reduce-scatter/ring");
  return text.with(listed(steps(plan.machine.processors - 1, text.line("send"))));
}

std::optional<PseudoProgram> scan_doubling(const RunPlan& plan) {
  const ProgramText text("scan/doubling");
  return text.with(repeats(text.line("send"), doublings(plan.machine.processors), [](Cycle i) {
    const std::uint64_t d = std::uint64_t{1} << i;
    return value("d", d) + ": " + ranks(d);
  }));
}

constexpr MethodProgram entries[] = {
    {"allgather/circulant", allgather_circulant},
    {"allgather/neighbour-exchange", allgather_neighbour_exchange},
    {"allgather/sparbit", allgather_sparbit},
    {"allreduce/circulant", allreduce_circulant},
    {"allreduce/rabenseifner", allreduce_rabenseifner},
    {"allreduce/recursive-doubling", allreduce_recursive_doubling},
    {"allreduce/ring", allreduce_ring},
    {"alltoall/bruck", alltoall_bruck},
    {"alltoall/pairwise", alltoall_pairwise},
    {"barrier/dissemination", barrier_dissemination},
    {"broadcast/scatter-allgather", broadcast_scatter_allgather},
    {"exscan/123-doubling", exscan_123_doubling},
    {"reduce-scatter/circulant", reduce_scatter_circulant},
    {"reduce-scatter/halving", reduce_scatter_halving},
    {"reduce-scatter/pairwise", reduce_scatter_pairwise},
    {"reduce-scatter/ring", reduce_scatter_ring},
    {"scan/doubling", scan_doubling},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::collectives
