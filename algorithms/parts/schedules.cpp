#include "schedules.hpp"

#include <algorithm>

#include "lockstep/algorithms/circulant_schedule.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

namespace lockstep::parts {
namespace {

Rank before(Rank rank, std::uint64_t distance, Rank p) { return shifted(rank, p - distance % p, p); }

/// Words of the longest of all runs of `count` parts of p, which may go on from the last to the first: m count/p,
/// rounded up, which the longest reaches since it is no shorter than the average.
Wide longest_run(std::uint64_t m, Rank count, Rank p) { return (Wide{m} * count + p - 1) / p; }

/// The parts of the `size` ranks, a power of two, that agree with this one in all higher bits.
std::vector<Rank> parts_around(Rank rank, Rank size) { return run_of_parts(rank & ~(size - 1), size, ~Rank{0}); }

}  // namespace

PartSchedule ring_reduce_scatter(Rank p) {
  return {p - 1, [p](Rank r, Cycle t) -> PartStep {
            return {.to = shifted(r, 1, p),
                    .sent = {before(r, 1 + t, p)},
                    .from = before(r, 1, p),
                    .received = {before(r, 2 + t, p)},
                    .combines = true};
          }};
}

PartSchedule ring_allgather(Rank p) {
  return {p - 1, [p](Rank r, Cycle t) -> PartStep {
            return {.to = shifted(r, 1, p),
                    .sent = {before(r, t, p)},
                    .from = before(r, 1, p),
                    .received = {before(r, 1 + t, p)}};
          }};
}

PartSchedule pairwise_reduce_scatter(Rank p) {
  return {p - 1, [p](Rank r, Cycle t) -> PartStep {
            const Rank to = shifted(r, 1 + t, p);
            return {.to = to, .sent = {to}, .from = before(r, 1 + t, p), .received = {r}, .combines = true};
          }};
}

PartSchedule two_way_allreduce(Rank p) {
  const Rank longer = p / 2;
  const Rank shorter = (p - 1) / 2;
  const Cycle late = longer - shorter;
  const auto gather = [=](Rank r, Cycle step, bool forth) -> PartStep {
    const Rank next = shifted(r, 1, p);
    const Rank previous = before(r, 1, p);
    if (forth) {  // part b leaves rank b - longer + t in step t
      return {.to = next,
              .sent = {before(shifted(r, longer, p), step, p)},
              .from = previous,
              .received = {before(shifted(previous, longer, p), step, p)},
              .combines = true};
    }
    if (step < late) return {};
    return {.to = previous,
            .sent = {shifted(before(r, shorter, p), step - late, p)},
            .from = next,
            .received = {shifted(before(next, shorter, p), step - late, p)},
            .combines = true};
  };
  const auto spread = [=](Rank r, Cycle step, bool forth) -> PartStep {
    const Rank next = shifted(r, 1, p);
    const Rank previous = before(r, 1, p);
    if (!forth) {  // part b leaves rank b - t in step t
      return {.to = previous, .sent = {shifted(r, step, p)}, .from = next, .received = {shifted(next, step, p)}};
    }
    if (step >= shorter) return {};
    return {.to = next, .sent = {before(r, step, p)}, .from = previous, .received = {before(previous, step, p)}};
  };
  const auto at = [=](Rank rank, Cycle number) {
    const Cycle step = number / 2;
    const bool forth = number % 2 == 0;
    return step < longer ? gather(rank, step, forth) : spread(rank, step - longer, forth);
  };
  return {2 * Cycle{longer}, at, 2};
}

void add_single_parts(Rank p, std::uint64_t m, method::StepLengths& lengths) {
  lengths.add(p - 1, longest_run(m, 1, p));
}

PartSchedule halving_reduce_scatter(Rank p) {
  return {doublings(p), [p](Rank r, Cycle step) -> PartStep {
            const Rank distance = p >> (step + 1);
            const Rank partner = r ^ distance;
            return {.to = partner,
                    .sent = parts_around(partner, distance),
                    .from = partner,
                    .received = parts_around(r, distance),
                    .combines = true};
          }};
}

PartSchedule doubling_allgather(Rank p) {
  return {doublings(p), [](Rank r, Cycle step) -> PartStep {
            const Rank distance = Rank{1} << step;
            const Rank partner = r ^ distance;
            return {.to = partner,
                    .sent = parts_around(r, distance),
                    .from = partner,
                    .received = parts_around(partner, distance)};
          }};
}

PartSchedule gather_to_last(Rank p) {
  return {doublings(p), [p](Rank r, Cycle step) -> PartStep {
            const Rank distance = Rank{1} << step;
            const Rank missing = r ^ (p - 1);  // the bits in which the last rank differs
            const Rank partner = r ^ distance;
            if (missing % distance != 0) return {};
            if ((missing & distance) != 0) return {.to = partner, .sent = parts_around(r, distance)};
            return {.from = partner, .received = parts_around(partner, distance)};
          }};
}

void add_halves(Rank p, std::uint64_t m, method::StepLengths& lengths) {
  for (Rank count = p / 2; count > 0; count /= 2) lengths.add(1, longest_run(m, count, p));
}

std::vector<Rank> circulant_skips(Rank p, std::uint64_t ports) {
  if (ports == 1) {
    const CirculantSchedule schedule(p);
    return {schedule.skips().begin(), schedule.skips().end()};
  }
  std::vector<Rank> skips{1};
  while (skips.back() < p) {
    skips.push_back(static_cast<Rank>(std::min<Wide>(p, Wide{skips.back()} * (Wide{ports} + 1))));
  }
  return skips;
}

namespace {

/// What a step of a circulant allgather brings a rank, by lane: the `count` parts from that of the rank `skip` farther
/// on.
struct CirculantRun {
  Rank skip;
  Rank count;  ///< 0 where there is no message
};

class CirculantRuns {
 public:
  CirculantRuns(Rank p, std::uint64_t ports)
      : skips_(circulant_skips(p, ports)), lanes_(std::clamp<std::uint64_t>(ports, 1, std::max<Rank>(p, 2) - 1)) {}

  Cycle steps() const { return skips_.size() - 1; }
  Cycle lanes() const { return lanes_; }
  /// The parts of the longest run of a step.
  Rank longest(Cycle step) const { return static_cast<Rank>((missing(step) + lanes_ - 1) / lanes_); }
  /// The messages of a rank in the step.
  Rank messages(Cycle step) const { return static_cast<Rank>((missing(step) + longest(step) - 1) / longest(step)); }
  CirculantRun run(Cycle step, Cycle lane) const {
    const Wide before = std::min<Wide>(Wide{lane} * longest(step), missing(step));
    return {static_cast<Rank>(skips_[step] + before),
            static_cast<Rank>(std::min<Wide>(longest(step), missing(step) - before))};
  }

 private:
  Wide missing(Cycle step) const { return skips_[step + 1] - skips_[step]; }

  std::vector<Rank> skips_;
  Cycle lanes_;
};

}  // namespace

PartSchedule circulant_reduce_scatter(Rank p, std::uint64_t ports) {
  const CirculantRuns runs(p, ports);
  return {runs.steps(),
          [p, runs](Rank r, Cycle number) -> PartStep {
            const auto [skip, count] = runs.run(runs.steps() - 1 - number / runs.lanes(), number % runs.lanes());
            if (count == 0) return {};
            return {.to = shifted(r, skip, p),
                    .sent = run_of_parts(shifted(r, skip, p), count, p),
                    .from = before(r, skip, p),
                    .received = run_of_parts(r, count, p),
                    .combines = true};
          },
          runs.lanes()};
}

PartSchedule circulant_allgather(Rank p, std::uint64_t ports) {
  const CirculantRuns runs(p, ports);
  return {runs.steps(),
          [p, runs](Rank r, Cycle number) -> PartStep {
            const auto [skip, count] = runs.run(number / runs.lanes(), number % runs.lanes());
            if (count == 0) return {};
            return {.to = before(r, skip, p),
                    .sent = run_of_parts(r, count, p),
                    .from = shifted(r, skip, p),
                    .received = run_of_parts(shifted(r, skip, p), count, p)};
          },
          runs.lanes()};
}

std::vector<CirculantRound> circulant_rounds(Rank p, std::uint64_t ports) {
  const CirculantRuns runs(p, ports);
  std::vector<CirculantRound> rounds;
  for (Cycle step = 0; step < runs.steps(); ++step) rounds.push_back({runs.longest(step), runs.messages(step)});
  return rounds;
}

Wide add_circulant(Rank p, std::uint64_t ports, std::uint64_t m, method::StepLengths& lengths) {
  Wide messages = 0;
  for (const auto& [parts, of_rank] : circulant_rounds(p, ports)) {
    lengths.add(1, longest_run(m, parts, p));
    messages += of_rank;
  }
  return messages;
}

// Before the step over d, rank r has ceil(p/2d) blocks; rank r + d lacks floor(ceil(p/d)/2) of them.
Rank sparbit_blocks(Rank p, Cycle step) { return static_cast<Rank>((((std::uint64_t{p} - 1) >> step) + 1) / 2); }

PartSchedule sparbit_allgather(Rank p) {
  const Cycle q = doublings(p);
  const auto blocks = [p](Rank first, Cycle step) {
    std::vector<Rank> wanted(sparbit_blocks(p, step));
    for (Rank j = 0; j < wanted.size(); ++j) wanted[j] = before(first, std::uint64_t{j} << (step + 1), p);
    return wanted;
  };
  return {q, [p, q, blocks](Rank r, Cycle number) -> PartStep {
            const Cycle step = q - 1 - number;
            const Rank distance = Rank{1} << step;
            const Rank from = before(r, distance, p);
            return {
                .to = shifted(r, distance, p), .sent = blocks(r, step), .from = from, .received = blocks(from, step)};
          }};
}

namespace {

/// The blocks that a rank of an odd ring has: its own, those of the `left` ranks before it and the `right` after it.
struct RunOfBlocks {
  Rank left;
  Rank right;
};

/// Before that step, of the rank that is `offset` above the idle one. Those that have not been idle yet, and some more,
/// have come as far as on an even ring; the others are a block behind on one side, as they met partners that had been.
RunOfBlocks known_on_odd_ring(Rank offset, Rank step, Rank p) {
  if (step == 0) return {0, 0};
  const bool is_even = offset % 2 == 0;
  if (offset == p - 1) return {step - std::min<Rank>(step, 2), step - 1};
  const RunOfBlocks known = offset + 2 * step <= p ? RunOfBlocks{is_even ? step - 1 : step, is_even ? step : step - 1}
                            : is_even              ? RunOfBlocks{step - 1, step - 1}
                                                   : RunOfBlocks{step, step - 2};
  return known.left + known.right < p ? known : RunOfBlocks{p - 1, 0};
}

/// In step t rank t is idle, and those above it exchange two by two what the partner lacks.
PartSchedule neighbour_allgather_on_odd_ring(Rank p) {
  return {(p + 3) / 2, [p](Rank r, Cycle number) -> PartStep {
            const auto step = static_cast<Rank>(number);
            const Rank offset = before(r, step, p);
            if (offset == 0) return {};
            const bool to_right = offset % 2 == 1;
            const Rank partner = to_right ? shifted(r, 1, p) : before(r, 1, p);
            const RunOfBlocks own = known_on_odd_ring(offset, step, p);
            const RunOfBlocks its = known_on_odd_ring(to_right ? offset + 1 : offset - 1, step, p);
            // The blocks of the first that the second, on that side of it, lacks: the nearest to it first.
            const auto lacking = [p](Rank rank, RunOfBlocks has, RunOfBlocks lacks, bool on_right) {
              const Rank far = on_right ? has.left : has.right;
              const Rank near = on_right ? lacks.left : lacks.right;
              const Rank missing = p - 1 - lacks.left - lacks.right;
              std::vector<Rank> blocks;
              for (Rank away = near; away <= far && blocks.size() < missing; ++away) {
                blocks.push_back(on_right ? before(rank, away, p) : shifted(rank, away, p));
              }
              return blocks;
            };
            PartStep one{.sent = lacking(r, own, its, to_right), .received = lacking(partner, its, own, !to_right)};
            if (!one.sent.empty()) one.to = partner;
            if (!one.received.empty()) one.from = partner;
            return one;
          }};
}

}  // namespace

PartSchedule neighbour_allgather(Rank p) {
  if (p == 1) return {};
  if (p % 2 == 1) return neighbour_allgather_on_odd_ring(p);
  return {p / 2, [p](Rank r, Cycle step) -> PartStep {
            const bool is_even = r % 2 == 0;
            if (step == 0) return {.to = r ^ 1, .sent = {r}, .from = r ^ 1, .received = {r ^ 1}};
            const auto pair = [](Rank rank) { return std::vector<Rank>{rank - rank % 2, rank - rank % 2 + 1}; };
            // The blocks received last, from the right if the step before went there.
            const auto got = [p, r, is_even](Cycle number) {
              const bool from_right = is_even == (number % 2 == 0);
              const std::uint64_t distance = 2 * ((number + 1) / 2);
              return from_right ? shifted(r, distance, p) : before(r, distance, p);
            };
            const bool to_right = is_even == (step % 2 == 0);
            const Rank partner = to_right ? shifted(r, 1, p) : before(r, 1, p);
            return {.to = partner, .sent = pair(got(step - 1)), .from = partner, .received = pair(got(step))};
          }};
}

}  // namespace lockstep::parts
