// Total exchanges with all ports on products of any graphs, put together from those of the factors (dimakopoulos.md,
// All ports).
#include <algorithm>
#include <deque>

#include "all_port_exchanges.hpp"
#include "lockstep/machines/mixed_radix.hpp"
#include "plans/turns/edge_colouring.hpp"

namespace lockstep::alltoall {

// Every node sends its messages for higher nodes to the right, its own first, the farthest destination first, and then
// those it receives, in that order; and the mirror image at the same time.
TotalExchange path_exchange(Rank m) {
  struct PathMessage {
    Rank origin;
    Rank destination;
  };
  std::vector<std::deque<PathMessage>> queues(m);
  std::uint64_t left = 0;
  for (Rank node = 0; node < m; ++node) {
    for (Rank destination = m - 1; destination > node; --destination, ++left)
      queues[node].push_back({node, destination});
  }
  TotalExchange exchange{.nodes = m};
  while (left > 0) {
    std::vector<Move>& moves = exchange.steps.emplace_back();
    for (Rank node = 0; node + 1 < m; ++node) {
      if (queues[node].empty()) continue;
      const auto& [origin, destination] = queues[node].front();
      moves.push_back({node, node + 1, origin, destination});
    }
    const std::size_t rightwards = moves.size();
    for (std::size_t index = 0; index < rightwards; ++index) {
      const Move move = moves[index];
      queues[move.from].pop_front();
      if (move.to == move.destination) --left;
      if (move.to != move.destination) queues[move.to].push_back({move.origin, move.destination});
      moves.push_back({m - 1 - move.from, m - 1 - move.to, m - 1 - move.origin, m - 1 - move.destination});
    }
  }
  return exchange;
}

namespace {

// Displacement by displacement (labels are added modulo m; the factors need no symmetry): job g brings all messages
// from x to x + g. A round is one exchange in all copies of one factor, in which it serves each difference a of that
// coordinate for one job: a resource of a round is a factor with an a. Before and after each of its rounds a job has
// one message at every node, so that a round always finds the messages that it needs.
class Power {
 public:
  Power(const TotalExchange& factor, unsigned factors)
      : factor_(factor), m_(factor.nodes), nodes_(std::vector<Rank>(factors, factor.nodes)) {
    std::vector<turns::JobPart> parts;
    for (Rank job = 1; job < nodes_.size(); ++job) {
      for (unsigned i = 0; i < factors; ++i) {
        if (const Rank a = nodes_.digit(job, i); a != 0) parts.push_back({job, resource(i, a)});
      }
    }
    const Rank resources = factors * (m_ - 1);
    rounds_ = turns::busiest_end(nodes_.size(), resources, parts);
    served_.resize(std::size_t{resources} * rounds_);
    serve(parts, turns::steps_of_parts(nodes_.size(), resources, parts));
  }

  TotalExchange run() const {
    TotalExchange exchange{.nodes = nodes_.size()};
    for (Rank round = 0; round < rounds_; ++round) {
      for (const std::vector<Move>& factor_moves : factor_.steps) {
        std::vector<Move>& moves = exchange.steps.emplace_back();
        for (unsigned i = 0; i < nodes_.dimensions(); ++i) {
          for (const Move& move : factor_moves) add_moves(round, i, move, moves);
        }
      }
    }
    return exchange;
  }

 private:
  /// The work of a resource in a round.
  struct Served {
    Rank job = no_rank;
    Rank behind = 0;  ///< the part of the displacement that the job has already covered
  };

  Rank resource(unsigned i, Rank a) const { return i * (m_ - 1) + a - 1; }

  /// Enters the parts of a job, which follow each other.
  void serve(const std::vector<turns::JobPart>& parts, const std::vector<Rank>& rounds) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Served& served = served_[std::size_t{parts[part].resource} * rounds_ + rounds[part]];
      served.job = parts[part].job;
      const std::size_t first = part < nodes_.dimensions() ? 0 : part - nodes_.dimensions();
      for (std::size_t other = first; other < std::min(parts.size(), part + nodes_.dimensions()); ++other) {
        if (parts[other].job != served.job || rounds[other] >= rounds[part]) continue;
        const Rank i = parts[other].resource / (m_ - 1);
        served.behind += nodes_.digit(served.job, i) * nodes_.stride(i);
      }
    }
  }

  /// Adds the factor's move in all its copies.
  void add_moves(Rank round, unsigned i, const Move& move, std::vector<Move>& moves) const {
    const Rank a = (move.destination + m_ - move.origin) % m_;
    const auto [job, behind] = served_[std::size_t{resource(i, a)} * rounds_ + round];
    if (job == no_rank) return;
    const Rank stride = nodes_.stride(i);
    for (Rank copy = 0; copy < nodes_.size() / m_; ++copy) {
      const Rank first = copy / stride * stride * m_ + copy % stride;
      const Rank origin = minus(first + move.origin * stride, behind);
      moves.push_back({first + move.from * stride, first + move.to * stride, origin, plus(origin, job)});
    }
  }

  Rank plus(Rank node, Rank displacement) const {
    Rank sum = 0;
    for (unsigned i = 0; i < nodes_.dimensions(); ++i) {
      sum += (nodes_.digit(node, i) + nodes_.digit(displacement, i)) % m_ * nodes_.stride(i);
    }
    return sum;
  }
  Rank minus(Rank node, Rank displacement) const {
    Rank difference = 0;
    for (unsigned i = 0; i < nodes_.dimensions(); ++i) {
      difference += (nodes_.digit(node, i) + m_ - nodes_.digit(displacement, i)) % m_ * nodes_.stride(i);
    }
    return difference;
  }

  const TotalExchange& factor_;
  Rank m_;
  MixedRadix nodes_;
  Rank rounds_ = 0;
  std::vector<Served> served_;  // by resource and round
};

}  // namespace

TotalExchange power_exchange(const TotalExchange& factor, unsigned factors) { return Power(factor, factors).run(); }

PhaseSplit phase_split(Wide nodes_of_a, Wide steps_of_a, Wide nodes_of_b, Wide steps_of_b) {
  if (nodes_of_b > nodes_of_a) {  // the search below takes as many turns as B has nodes
    PhaseSplit split = phase_split(nodes_of_b, steps_of_b, nodes_of_a, steps_of_a);
    std::swap(split.first_of_a, split.first_of_b);
    return split;
  }
  const Wide a = nodes_of_a - 1;
  const Wide b = nodes_of_b - 1;
  PhaseSplit best{.steps = nodes_of_b * steps_of_a + nodes_of_a * steps_of_b};
  best.first_of_a = nodes_of_b;
  best.first_steps = nodes_of_b * steps_of_a;
  const Wide bound = std::max(nodes_of_b * steps_of_a, nodes_of_a * steps_of_b);
  for (Wide s = 0; s <= nodes_of_b && best.steps > bound; ++s) {
    // The rounds of B for which an a x b matrix exists with s or s - 1 in every row and a - w or a + 1 - w in every
    // column.
    const Wide least = a - std::min(a, a * s / b);
    const Wide most = s == 0 ? nodes_of_a : nodes_of_a - (a * (s - 1) + b - 1) / b;
    const Wide during_first = s * steps_of_a / steps_of_b;
    const Wide during_second = std::min(nodes_of_a, (nodes_of_b - s) * steps_of_a / steps_of_b);
    for (const Wide wanted : {during_first, during_first + 1, nodes_of_a - during_second,
                              nodes_of_a - std::min(nodes_of_a, during_second + 1)}) {
      const Wide w = std::clamp(wanted, least, most);
      const Wide first = std::max(s * steps_of_a, w * steps_of_b);
      const Wide steps = first + std::max((nodes_of_b - s) * steps_of_a, (nodes_of_a - w) * steps_of_b);
      if (steps < best.steps) best = {.first_of_a = s, .first_of_b = w, .first_steps = first, .steps = steps};
    }
  }
  return best;
}

namespace {

// Job (g,h) brings all messages from (i,j) to (i + g, j + h), modulo n_A and n_B. A round of A is one exchange in all
// copies of A, in which it serves each g != 0 for one job (g,h), and likewise rounds of B. Phase 1 has s rounds of A
// and w of B, phase 2 the others; a job that has both is done along A in one phase and along B in the other, so that
// simultaneous rounds never move the same messages.
class Joint {
 public:
  Joint(const TotalExchange& a, const TotalExchange& b)
      : a_(a),
        b_(b),
        split_(phase_split(a.nodes, a.steps.size(), b.nodes, b.steps.size())),
        rounds_of_a_(2, std::vector<std::vector<Rank>>(a.nodes)),
        rounds_of_b_(2, std::vector<std::vector<Rank>>(b.nodes)) {
    choose_phases();
  }

  TotalExchange run() const {
    TotalExchange exchange{.nodes = a_.nodes * b_.nodes};
    exchange.steps.resize(static_cast<std::size_t>(split_.steps));
    for (std::size_t phase = 0; phase < 2; ++phase) {
      const std::size_t begin = phase == 0 ? 0 : static_cast<std::size_t>(split_.first_steps);
      add_rounds(a_, rounds_of_a_[phase], b_.nodes, {b_.nodes, 1}, phase, begin, exchange.steps);
      add_rounds(b_, rounds_of_b_[phase], a_.nodes, {1, b_.nodes}, phase, begin, exchange.steps);
    }
    return exchange;
  }

 private:
  /// The growth of a node's number with its coordinates.
  struct Strides {
    Rank own;
    Rank other;
  };

  // Chooses the jobs done along A in phase 1: in every row g as many as the rounds, or one fewer and then (g,0) too; in
  // the columns, the remaining jobs, likewise for B. Filled one row after the other round a circle of columns, the
  // columns differ by at most one.
  void choose_phases() {
    const Rank rows = a_.nodes - 1;
    const Rank columns = b_.nodes - 1;
    const Wide s = split_.first_of_a;
    const Wide w = split_.first_of_b;
    const Wide by_rows = s == 0 ? 0 : rows * (s - 1);
    const Wide by_columns = w > rows ? 0 : columns * (rows - w);
    Wide left = std::max(by_rows, by_columns);
    std::vector<std::vector<bool>> along_a_first(a_.nodes, std::vector<bool>(b_.nodes));
    std::vector<Rank> in_column(b_.nodes);
    Rank next = 0;
    for (Rank g = 1; g <= rows; ++g) {
      const Wide ones = (left + rows - g) / (rows - g + 1);
      left -= ones;
      for (Wide one = 0; one < ones; ++one, next = (next + 1) % columns) {
        along_a_first[g][next + 1] = true;
        ++in_column[next + 1];
      }
      along_a_first[g][0] = ones < s;
    }
    for (Rank h = 1; h <= columns; ++h) along_a_first[0][h] = rows - in_column[h] >= w;
    for (Rank g = 0; g <= rows; ++g) {
      for (Rank h = 0; h <= columns; ++h) {
        if (g != 0) rounds_of_a_[along_a_first[g][h] ? 0 : 1][g].push_back(h);
        if (h != 0) rounds_of_b_[along_a_first[g][h] ? 1 : 0][h].push_back(g);
      }
    }
  }

  /// Adds the rounds of one factor in a phase, one after the other; rounds hold by difference the other coordinate of
  /// their jobs.
  static void add_rounds(const TotalExchange& factor, const std::vector<std::vector<Rank>>& rounds, Rank others,
                         const Strides& stride, std::size_t phase, std::size_t begin, MoveSteps& steps) {
    for (std::size_t round = 0; round < rounds[1].size(); ++round) {
      for (std::size_t step = 0; step < factor.steps.size(); ++step) {
        std::vector<Move>& moves = steps[begin + round * factor.steps.size() + step];
        for (const Move& move : factor.steps[step]) {
          const Rank difference = rounds[(move.destination + factor.nodes - move.origin) % factor.nodes][round];
          for (Rank other = 0; other < others; ++other) {
            const Rank before = phase == 0 ? other : (other + others - difference) % others;
            const Rank after = (before + difference) % others;
            moves.push_back({move.from * stride.own + other * stride.other, move.to * stride.own + other * stride.other,
                             move.origin * stride.own + before * stride.other,
                             move.destination * stride.own + after * stride.other});
          }
        }
      }
    }
  }

  const TotalExchange& a_;
  const TotalExchange& b_;
  PhaseSplit split_;
  std::vector<std::vector<std::vector<Rank>>> rounds_of_a_;  // by phase and g, the h of its jobs
  std::vector<std::vector<std::vector<Rank>>> rounds_of_b_;  // by phase and h, the g of its jobs
};

}  // namespace

TotalExchange two_phase_exchange(const TotalExchange& a, const TotalExchange& b) { return Joint(a, b).run(); }

}  // namespace lockstep::alltoall
