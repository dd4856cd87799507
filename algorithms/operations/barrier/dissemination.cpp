#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/switches.hpp"
#include "plans/turns/line_exchange.hpp"
#include "plans/turns/port_to.hpp"
#include "reports.hpp"

// Barriers in rounds, in which every rank reports what it knows to another: by dissemination over a switch or complete
// graph, by exchange over the dimensions of a hypercube or along the lines of a grid (collectives.md, Barrier).
namespace lockstep {
namespace barrier {
namespace {

/// The partners of a rank in round i.
enum class ReportPartners {
  shifted,   ///< it reports to the rank 2^i farther on, modulo p
  exchanged  ///< it reports to the rank that differs in bit i, which reports to it
};

/// The cycle in which every rank sends in every round.
class Dissemination {
 public:
  /// With `in_step` the messages of a cycle are all of one round, and so over one distance: networks of switches pass
  /// any of these.
  Dissemination(ReportPartners partners, const std::vector<Cycle>& arrived, bool in_step)
      : partners_(partners),
        in_step_(in_step),
        ranks_(static_cast<Rank>(arrived.size())),
        rounds_(static_cast<Rank>(doublings(arrived.size()))),
        sent_(std::size_t{ranks_} * rounds_, never) {
    plan(arrived);
  }

  Rank rounds() const { return rounds_; }
  Cycle sent(Rank rank, Rank round) const { return sent_[std::size_t{rank} * rounds_ + round]; }
  /// The rank to which this one reports in that round.
  Rank to(Rank rank, Rank round) const {
    return partners_ == ReportPartners::exchanged ? rank ^ distance(round) : shifted(rank, distance(round), ranks_);
  }
  /// The rank that reports to this one in that round.
  Rank from(Rank rank, Rank round) const {
    return partners_ == ReportPartners::exchanged ? rank ^ distance(round)
                                                  : shifted(rank, ranks_ - distance(round), ranks_);
  }
  /// The ranks of which a report of that round tells.
  static Rank distance(Rank round) { return Rank{1} << round; }

  static std::uint64_t bytes(std::uint64_t ranks) {
    constexpr std::uint64_t waiting = 8 * sizeof(Cycle);  // a rank that is to send, in a tree
    return saturated(Wide{ranks} * (doublings(ranks) * sizeof(Cycle) + waiting));
  }

 private:
  static constexpr Cycle never = ~Cycle{0};

  // A rank sends in its next round when it has sent and received in the round before. No rank can receive twice in a
  // cycle: of two that would send to the same rank the higher waits. In step, those of later rounds wait for the
  // earliest.
  void plan(const std::vector<Cycle>& arrived) {
    std::map<Cycle, std::vector<Rank>> due;  // ranks by the cycle from which on they may send
    std::vector<Rank> round(ranks_);
    std::vector<Cycle> receiving(ranks_, never);
    for (Rank rank = 0; rank < ranks_ && rounds_ > 0; ++rank) due[arrived[rank]].push_back(rank);
    const auto advance = [&](Rank rank) {
      const Rank done = round[rank];
      const Cycle own = sent(rank, done);
      const Cycle other = sent(from(rank, done), done);
      if (own == never || other == never || ++round[rank] == rounds_) return;
      due[std::max(own, other) + 1].push_back(rank);
    };
    while (!due.empty()) {
      auto now = due.extract(due.begin());
      std::ranges::sort(now.mapped());
      const Rank first = std::ranges::min(now.mapped() | std::views::transform([&](Rank rank) { return round[rank]; }));
      for (const Rank rank : now.mapped()) {
        const Rank receiver = to(rank, round[rank]);
        if (receiving[receiver] == now.key() || (in_step_ && round[rank] != first)) {
          due[now.key() + 1].push_back(rank);
          continue;
        }
        receiving[receiver] = now.key();
        const Rank in = round[rank];
        sent_[std::size_t{rank} * rounds_ + in] = now.key();
        advance(rank);
        if (round[receiver] == in) advance(receiver);
      }
    }
  }

  ReportPartners partners_;
  bool in_step_;
  Rank ranks_;
  Rank rounds_;
  std::vector<Cycle> sent_;  // rank by rank
};

/// An action of a rank in a cycle: it sends in that round, or takes the message that it received in it.
struct Deed {
  Cycle cycle;
  bool sends;
  Rank round;

  friend auto operator<=>(const Deed&, const Deed&) = default;
};

/// All actions of the rank, in order; within a cycle it receives before it sends.
std::vector<Deed> deeds(const Dissemination& plan, Rank rank) {
  std::vector<Deed> all;
  all.reserve(2 * std::size_t{plan.rounds()});
  for (Rank round = 0; round < plan.rounds(); ++round) {
    all.push_back({plan.sent(rank, round), true, round});
    all.push_back({plan.sent(plan.from(rank, round), round) + 1, false, round});
  }
  std::ranges::sort(all);
  return all;
}

/// Receives the rank's message of the round. Throws std::logic_error if another one has come.
Cycle hear(Processor<LabelledBlock>& self, const Dissemination& plan, Rank round) {
  const Rank distance = Dissemination::distance(round);
  const Rank from = plan.from(self.rank(), round);
  const Message<LabelledBlock> told = self.receive(turns::port_to(self, from));
  if (told.payload.origin != from || told.payload.first != distance) {
    throw std::logic_error("rank " + std::to_string(told.payload.origin) + " reported " +
                           std::to_string(told.payload.first) + " ranks where rank " + std::to_string(from) +
                           " is due to report " + std::to_string(distance));
  }
  return told.payload.number;
}

// In round i a rank reports that 2^i ranks have arrived, itself among them, and learns of 2^i others. Hensgen, Finkel,
// Manber 1988. A late rank may receive before it arrives; it keeps that until its turn.
Process disseminate(Processor<LabelledBlock>& self, const Dissemination& plan, Cycle arrival, KnownRanks& known) {
  std::vector<Cycle> heard(plan.rounds());  // the latest arrival that the message of each round reports
  known.latest = arrival;
  for (const Deed& deed : deeds(plan, self.rank())) {
    co_await self.until(deed.cycle);
    if (!deed.sends) {
      heard[deed.round] = hear(self, plan, deed.round);
      known.ranks += Dissemination::distance(deed.round);
      continue;
    }
    for (Rank round = 0; round < deed.round; ++round) known.latest = std::max(known.latest, heard[round]);
    const LabelledBlock notice{.origin = self.rank(),
                               .first = Dissemination::distance(deed.round),
                               .number = static_cast<std::uint32_t>(known.latest)};
    self.send(turns::port_to(self, plan.to(self.rank(), deed.round)), notice);
  }
  for (const Cycle latest : heard) known.latest = std::max(known.latest, latest);
  co_await self.until(arrival);
  known.left = self.now();
}

turns::LineExchanges lines_of(const MachineSpec& machine) {
  return turns::line_exchanges(machine, turns::OddRing::closed);
}

/// The cycles in which ranks exchange, if they arrive late: of each pair of a round as soon as both have arrived and
/// have done with the rounds before.
class MeetingTimes {
 public:
  MeetingTimes(const turns::LineExchanges& lines, const std::vector<Cycle>& arrived)
      : rounds_(static_cast<Cycle>(turns::steps(lines))),
        is_late_(std::ranges::any_of(arrived, [](Cycle arrival) { return arrival > 0; })) {
    if (is_late_) plan(lines, arrived);
  }

  Cycle at(Rank rank, Cycle round) const { return is_late_ ? met_[rank * rounds_ + round] : round; }

 private:
  void plan(const turns::LineExchanges& lines, std::vector<Cycle> ready) {
    met_.resize(ready.size() * rounds_);
    Cycle round = 0;
    for (const turns::LineExchange& line : lines) {
      const GridAxis& axis = line.axis();
      for (Cycle step = 0; step < line.steps(); ++step, ++round) {
        for (Rank rank = 0; rank < ready.size(); ++rank) {
          const Rank place = axis.position(rank);
          if (!line.has_next(place, step).value_or(false)) continue;
          const Rank partner = axis.at(rank, line.neighbour(place, true));
          const Cycle cycle = std::max(ready[rank], ready[partner]);
          met_[rank * rounds_ + round] = met_[partner * rounds_ + round] = cycle;
          ready[rank] = ready[partner] = cycle + 1;
        }
      }
    }
  }

  Cycle rounds_;
  bool is_late_;
  std::vector<Cycle> met_;  // rank by rank
};

// Along a line a rank reports that it and the ranks on its other side that it knows of have arrived, and with each all
// that agree with it in the dimensions to come.
Process report_along_lines(Processor<LabelledBlock>& self, const turns::LineExchanges& lines, const MeetingTimes& times,
                           Cycle arrival, KnownRanks& known) {
  known.latest = arrival;
  Cycle round = 0;
  for (const turns::LineExchange& line : lines) {
    const GridAxis& axis = line.axis();
    const Rank place = axis.position(self.rank());
    Rank before = 0;  // known ranks of the line on either side
    Rank after = 0;
    for (Cycle step = 0; step < line.steps(); ++step, ++round) {
      const std::optional<bool> next = line.has_next(place, step);
      if (!next) continue;
      co_await self.until(times.at(self.rank(), round));
      const LabelledBlock notice{.origin = self.rank(),
                                 .first = std::uint64_t{1} + (*next ? before : after),
                                 .number = static_cast<std::uint32_t>(known.latest)};
      const LabelledBlock heard = co_await self.exchange(axis.towards(*next), notice);
      const Rank from = axis.at(self.rank(), line.neighbour(place, *next));
      if (heard.origin != from || heard.first == 0 || heard.first > axis.side()) {
        throw std::logic_error("rank " + std::to_string(heard.origin) + " reported " + std::to_string(heard.first) +
                               " ranks of a line where rank " + std::to_string(from) + " is due to report 1 to " +
                               std::to_string(axis.side()));
      }
      Rank& side = *next ? after : before;
      side = std::max(side, static_cast<Rank>(heard.first));
      known.latest = std::max(known.latest, Cycle{heard.number});
    }
    known.ranks *= std::min(axis.side(), before + after + 1);
  }
  co_await self.until(arrival);
  known.left = self.now();
}

Prediction predict_dissemination(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide q = doublings(machine.processors);
  return without_words(exact_count(q, "ceil(log2 p)"), exact_count(machine.processors * q, "p ceil(log2 p)"), settings);
}

Prediction predict_along_lines(const MachineSpec& machine, const Model&, const Settings& settings) {
  const turns::LineExchanges lines = lines_of(machine);
  Wide messages = 0;
  for (const turns::LineExchange& line : lines) {
    messages += machine.processors / line.axis().side() * 2 * line.pairs();
  }
  return without_words(exact_count(turns::steps(lines), "S(a_1) + .. + S(a_d) for sides a_i"),
                       exact_count(messages, "2 for each pair of a step"), settings);
}

std::uint64_t bytes_dissemination(const MachineSpec& machine, const Model& model, const Settings&) {
  const std::uint64_t deeds_bytes = doublings(machine.processors) * (2 * sizeof(Deed) + sizeof(Cycle));
  return saturated(Wide{machine_bytes<LabelledBlock>(machine, model)} +
                   machine.processors * Wide{sizeof(KnownRanks) + 2 * sizeof(Cycle) + sizeof(Rank) + deeds_bytes} +
                   Dissemination::bytes(machine.processors));
}

std::uint64_t bytes_along_lines(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide meetings = *settings.arrivals == 0 ? 0 : turns::steps(lines_of(machine)) * sizeof(Cycle);
  return saturated(Wide{machine_bytes<LabelledBlock>(machine, model)} +
                   machine.processors * (sizeof(KnownRanks) + 3 * sizeof(Cycle) + meetings));
}

template <ReportPartners partners>
Outcome run_dissemination(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const std::optional<Medium>& medium = request.machine.medium;
  const Dissemination plan(partners, arrived, medium && medium->network != nullptr);
  return run_reports(request, arrived, [&](Processor<LabelledBlock>& self, Cycle arrival, KnownRanks& known) {
    return disseminate(self, plan, arrival, known);
  });
}

Outcome run_along_lines(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const turns::LineExchanges lines = lines_of(request.machine);
  const MeetingTimes times(lines, arrived);
  return run_reports(request, arrived, [&](Processor<LabelledBlock>& self, Cycle arrival, KnownRanks& known) {
    return report_along_lines(self, lines, times, arrival, known);
  });
}

Method in_rounds(Method own) {
  return with_reports(filled_in(std::move(own), {.source = "Hensgen, Finkel, Manber 1988 (collectives.md, Barrier)",
                                                 .predict = predict_dissemination,
                                                 .bytes = bytes_dissemination}));
}

}  // namespace
}  // namespace barrier

extern const Method barrier_dimension_exchange_method = barrier::in_rounds({
    .name = "barrier/dimension-exchange",
    .families = {"hypercube"},
    .source = "Brooks 1986; Hensgen, Finkel, Manber 1988 (collectives.md, Barrier)",
    .summary = "dimension by dimension neighbours tell each other of the ranks that have arrived; no words",
    .port_models = {PortModel::one, PortModel::all},
    .run = barrier::run_dissemination<barrier::ReportPartners::exchanged>,
});

extern const Method barrier_dimension_exchange_on_grids_method = barrier::in_rounds({
    .name = "barrier/dimension-exchange",
    .families = {"ring", "path", "torus", "mesh"},
    .source = "Lockstep's own (collectives.md, Barrier)",
    .summary =
        "along the lines of one dimension after the other neighbours tell each other in alternating pairs of the "
        "ranks that have arrived; no words",
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
    .predict = barrier::predict_along_lines,
    .bytes = barrier::bytes_along_lines,
    .run = barrier::run_along_lines,
});

extern const Method barrier_dissemination_method = barrier::in_rounds({
    .name = "barrier/dissemination",
    .families = method::switches_and_complete(),
    .summary = "in round i every rank tells the one 2^i farther on of the 2^i ranks up to itself; no words",
    .port_models = {PortModel::one},
    .run = barrier::run_dissemination<barrier::ReportPartners::shifted>,
});

}  // namespace lockstep
