#include "bounds/on_network.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "bounds/best_known.hpp"
#include "bounds/growth.hpp"
#include "bounds/loads.hpp"
#include "bounds/machine_view.hpp"
#include "bounds/narrow_cuts.hpp"
#include "bounds/parting.hpp"
#include "bounds/rank_sides.hpp"
#include "bounds/rules.hpp"

namespace lockstep::bounds {
namespace {

std::string a_step(Wide number) { return to_string(number) + " a step"; }
constexpr std::uint64_t most_cycles = std::uint64_t{1} << 20;  // looked at one by one

std::string rank_text(Rank rank) { return "rank " + std::to_string(rank); }

/// The bounds of one problem, by one argument after the other.
class OnNetwork {
 public:
  explicit OnNetwork(const Problem& problem)
      : problem_(problem),
        view_(problem.machine),
        rules_(problem.machine, problem.model),
        m_(problem.words),
        n_(members_of(problem)) {}

  LowerBound found() {
    add_sends();
    switch (problem_.collective) {
      case Collective::broadcast:
        add_spread(problem_.root);
        break;
      case Collective::reduce:
        add_collection(problem_.root);
        break;
      case Collective::scatter:
      case Collective::gather:
        add_blocks_of_root();
        break;
      case Collective::scan:
      case Collective::exscan:
        if (has_all()) add_scan();
        break;
      case Collective::reduce_scatter:
        if (m_ < n_) {  // some have no part of the result
          if (const auto seen = around(0); seen && view_.is_alike()) {
            add_steps(0, *seen, rules_.collects());
          }
          add_totals();
          return best_.known();
        }
        [[fallthrough]];
      default:
        add_last_ones();
        for (const Rank rank : centres()) add_among_all(rank);
        add_totals();
        break;
    }
    if (!problem_.machine.medium) {
      const auto all = partings(problem_.machine);
      for (const Parting& parting : *all) add_parting(parting);
      const auto cuts = narrow_cuts(problem_.machine);
      for (const NarrowCut& cut : *cuts) add_narrow_cut(cut);
    }
    return best_.timed(problem_.model.cost);
  }

 private:
  bool has_all() const { return problem_.members.empty(); }

  /// Members from which the machine may differ.
  std::vector<Rank> centres() const {
    if (has_all()) return view_.centres();
    const std::size_t most = problem_.machine.processors <= 256 ? problem_.members.size() : 1;
    return {problem_.members.begin(), problem_.members.begin() + static_cast<std::ptrdiff_t>(most)};
  }

  /// The machine seen from the rank; none if it is too large.
  std::optional<Around> around(Rank rank) {
    if (rules_.users() < n_ && n_ / rules_.users() > most_cycles) return std::nullopt;
    if (!last_seen_ || last_seen_->first != rank) {
      auto seen = view_.around(rank);
      if (!seen) return std::nullopt;
      last_seen_ = {rank, std::move(*seen)};
    }
    return last_seen_->second;
  }

  /// The distance from the rank to the farthest member, or less.
  std::uint64_t farthest(Rank rank, const Around& seen) const {
    if (has_all() || problem_.machine.medium) return seen.eccentricity();
    std::uint64_t most = 1;
    if (problem_.machine.family == "hypercube") {
      for (const Rank member : problem_.members) {
        most = std::max<std::uint64_t>(most, static_cast<unsigned>(std::popcount(rank ^ member)));
      }
    } else if (view_.can_be_searched()) {
      const std::vector<std::uint32_t> distance = view_.distances_from(rank);
      for (const Rank member : problem_.members) most = std::max<std::uint64_t>(most, distance[member]);
    }
    return most;
  }

  /// Steps in which an item of the rank reaches all members, or, backwards, theirs reach it: `reached` neighbours of a
  /// holder a step.
  std::uint64_t add_steps(Rank rank, const Around& seen, Wide reached) {
    const std::uint64_t away = farthest(rank, seen);
    const std::uint64_t steps = std::max(steps_to_reach_all(seen, reached), away);
    best_.steps(steps, [&]() -> std::string {
      if (steps == away) return "the farthest is " + counted(steps, "link") + " away from " + rank_text(rank);
      std::uint64_t least = 0;
      for (Wide holders = 1; holders < n_; holders *= reached + 1) ++least;
      return (steps == least ? "log" + to_string(reached + 1) + " of " : "growth to ") + counted(n_, "processor") +
             ", " + rules_.text();
    });
    return steps;
  }

  Spreading spread_to_all(const Around& seen, Wide reached) const {
    return spread_to(n_, seen, view_.most_degree(), reached, rules_.users());
  }

  std::uint64_t steps_to_reach_all(const Around& seen, Wide reached) const {
    return spread_to_all(seen, reached).cycles;
  }

  /// Words of m or fewer that as many messages at once carry: m/at_once of each.
  double share_of(Wide at_once) const { return static_cast<double>(m_) / static_cast<double>(at_once); }

  /// All words leave the root, `out` at once, and reach all others, `receivers` at once; or, backwards, enter it.
  void add_succession_to_all(const Spreading& spreading, Wide out, Wide receivers) {
    if (spreading.cycles < 2) return;
    const auto others = static_cast<double>(n_ - 1);
    best_.succession({std::min(share_of(out), share_of(receivers) * others),
                      static_cast<double>(spreading.lacking) / others, spreading.cycles - 2,
                      words_that(m_, "follow") + " one another over " + counted(spreading.cycles, "step")});
  }

  /// All words go from the one end to a farthest processor, past the distances from it; `ends` at once out of the one
  /// end and into the other.
  void add_succession(const Around& seen, Wide ends, bool leaves) {
    const std::uint64_t distance = seen.eccentricity();
    if (distance < 2 || problem_.machine.medium) return;
    const std::string argument = words_that(m_, "follow") + " one another over " + counted(distance, "link");
    const auto delay = static_cast<double>(distance - 1);
    best_.succession({share_of(ends), delay, distance - 2, argument});
    Wide widest = ends;
    for (std::size_t away = 1; away + 1 < distance; ++away) {
      MachineCut cut{seen.links[away], seen.processors[away], seen.processors[away + 1]};
      if (!leaves) std::swap(cut.near_border, cut.far_border);
      widest = std::max(widest, rules_.across(cut));
    }
    best_.succession({share_of(widest), delay, 0, argument});
  }

  void add_spread(Rank root) {
    const auto seen = around(root);
    if (!seen) return;
    const std::uint64_t steps = add_steps(root, *seen, rules_.reaches());
    if (m_ == 0) return;
    const Wide out = rules_.out(seen->degree());
    best_.longest_sum(divided_up(m_, out) - 1 + steps, [&] {
      return counted(m_, "word") + " from " + rank_text(root) + ", " + a_step(out) + ", each " + counted(steps, "step");
    });
    add_receipts(*seen);
    add_succession_to_all(spread_to_all(*seen, rules_.reaches()), out, receivers(*seen));
    if (!has_all()) return;
    add_narrowest(*seen, true);
    add_far_ports(root, *seen, true);
  }

  /// All words enter every processor, or leave it, and go the distance. On a mesh the farthest has the fewest links.
  void add_far_ports(Rank root, const Around& seen, bool enter) {
    const auto at_once = [&](Wide links) { return enter ? rules_.in(links) : rules_.out(links); };
    Wide most = 0;
    Wide distance_of_most = 0;
    Wide links_of_most = 1;
    Wide links_of_farthest = view_.most_degree();
    const auto add = [&](Wide distance, Wide links) {
      if (distance == seen.eccentricity()) links_of_farthest = std::min(links_of_farthest, links);
      const Wide cycles = distance - 1 + divided_up(m_, at_once(links));
      if (cycles <= most) return;
      most = cycles;
      distance_of_most = distance;
      links_of_most = links;
    };
    if (view_.is_alike() || problem_.machine.family == "mesh" || problem_.machine.family == "path") {
      add(seen.eccentricity(), view_.least_degree());
    } else if (view_.can_be_searched()) {
      if (degrees_.empty()) degrees_ = view_.degrees();
      const std::vector<std::uint32_t> distance = view_.distances_from(root);
      for (Rank rank = 0; rank < distance.size(); ++rank) {
        if (rank != root) add(distance[rank], degrees_[rank]);
      }
    }
    best_.longest_sum(most, [&] {
      return words_that(m_, enter ? "enter" : "leave") + " a processor " + counted(distance_of_most, "link") +
             " away, " + a_step(at_once(links_of_most));
    });
    const Wide out = enter ? rules_.out(seen.degree()) : rules_.in(seen.degree());
    add_succession(seen, std::max(out, at_once(links_of_farthest)), enter);
  }

  /// All words cross the links between every distance and the next.
  void add_narrowest(const Around& seen, bool leaves) {
    Wide narrowest = rules_.users();
    for (std::size_t distance = 0; distance + 1 < seen.processors.size(); ++distance) {
      MachineCut cut{seen.links[distance], seen.processors[distance], seen.processors[distance + 1]};
      if (!leaves) std::swap(cut.near_border, cut.far_border);
      narrowest = std::min(narrowest, rules_.across(cut));
    }
    best_.longest_sum(seen.eccentricity() - 1 + divided_up(m_, narrowest), [&] {
      return words_that(m_, "cross") + " a cut, " + a_step(narrowest) + ", and go " +
             counted(seen.eccentricity(), "link");
    });
  }

  void add_collection(Rank root) {
    const auto seen = around(root);
    if (!seen) return;
    const std::uint64_t steps = add_steps(root, *seen, rules_.collects());
    if (m_ == 0) return;
    const Wide in = rules_.in(seen->degree());
    best_.longest_sum(divided_up(m_, in) - 1 + steps, [&] {
      return counted(m_, "word") + " to " + rank_text(root) + ", " + a_step(in) + ", each " + counted(steps, "step");
    });
    const Wide senders =
        std::min({rules_.receipts(view_.processors(), view_.links()), 2 * view_.links() - seen->degree(),
                  rules_.sends_at_once() * (view_.processors() - 1)});
    add_succession_to_all(spread_to_all(*seen, rules_.collects()), in, senders);
    if (!has_all()) return;
    add_narrowest(*seen, false);
    add_far_ports(root, *seen, false);
  }

  /// Every rank needs the first rank's operand, and the last one those of all.
  void add_scan() {
    add_spread(0);
    add_collection(static_cast<Rank>(problem_.machine.processors - 1));
    for (const Rank rank : centres()) add_far_ends(rank);
    if (m_ == 0) return;
    const auto all = rank_sides(problem_.machine);
    for (const RankSides& sides : *all) add_changes(sides);
  }

  /// Where a rank on the far side follows one on the near side, its result tells what the operands of the near side up
  /// to there come to. With neutral operands on the far side every message across is a combination of operands of the
  /// near side, and those results differ in one run of ranks each: as many independent values cross as there are such
  /// places.
  void add_changes(const RankSides& sides) {
    const Wide at_once = rules_.across(sides.cut);
    best_.longest_sum(divided_up(multiplied(sides.changes, m_), at_once), [&] {
      return counted(sides.changes, "value") + " of " + counted(m_, "word") + " between alternate ranks cross " +
             counted(sides.cut.links, "link") + ", " + a_step(at_once);
    });
  }

  void add_far_ends(Rank rank) {
    const auto seen = around(rank);
    if (!seen) return;
    best_.steps(seen->eccentricity(), [&] {
      return "the farthest is " + counted(seen->eccentricity(), "link") + " away from " + rank_text(rank);
    });
    if (m_ > 0) add_succession(*seen, std::max(rules_.out(view_.most_degree()), rules_.in(view_.most_degree())), true);
  }

  /// A block for every member leaves the root, or enters it.
  void add_blocks_of_root() {
    const bool leaves = problem_.collective == Collective::scatter;
    const auto seen = around(problem_.root);
    if (!seen) return;
    add_steps(problem_.root, *seen, leaves ? rules_.reaches() : rules_.collects());
    add_beyond(problem_.root, *seen, leaves);
    if (!has_all() || m_ == 0) return;
    const Wide progress = rules_.progress(view_.processors(), view_.links());
    best_.longest_sum(divided_up(seen->status() * m_, progress),
                      [&] { return "distances of " + to_string(seen->status()) + " together, " + a_step(progress); });
  }

  /// Words that all but the root receive in a cycle.
  Wide receivers(const Around& seen) const {
    const Wide p = view_.processors();
    return std::min({rules_.copies(p, view_.links(), view_.most_degree()), 2 * view_.links() - seen.degree(),
                     rules_.collects() * (p - 1)});
  }

  /// Receipts of new words, cycle by cycle: as many as there are senders that can have some, and receivers.
  void add_receipts(const Around& seen) {
    const Wide p = view_.processors();
    const Wide needed = (n_ - 1) * m_;
    const Wide at_once = receivers(seen);
    Wide received = 0;
    Wide holders = 1;
    Wide within = 1;
    Wide cycles = 0;
    while (received < needed && holders < p) {
      ++cycles;
      Wide sent = holders * rules_.out(view_.most_degree());
      if (rules_.spreads()) sent = cycles == 1 ? seen.degree() : holders * view_.most_degree();
      const Wide now = std::min(sent, at_once);
      received += now;
      if (cycles < seen.processors.size()) within += seen.processors[static_cast<std::size_t>(cycles)];
      holders = std::min(holders + now, within);
    }
    if (received < needed) cycles += divided_up(needed - received, at_once);
    best_.longest_sum(cycles, [&] {
      return to_string(needed) + " receipts, " + a_step(at_once) + " when all have something to send";
    });
  }

  /// Members whose values others combine have to send at least once and, of vectors, every word that is not their own
  /// part, combined or not.
  void add_sends() {
    const auto [senders, words] = senders_and_words();
    if (senders == 0) return;
    const Wide sends = rules_.sends(view_.processors(), view_.links());
    if (sends < senders) {
      best_.steps(divided_up(senders, sends),
                  [&] { return (senders == n_ ? "all " : "") + to_string(senders) + " send, " + a_step(sends); });
    }
    const Wide users = rules_.users();  // where these are many, what a processor takes in says more
    if (words == 0 || users >= view_.processors()) return;
    best_.longest_sum(divided_up(words, users),
                      [&] { return words_that(words, "leave") + " processors, " + a_step(users); });
  }

  std::pair<Wide, Wide> senders_and_words() const {
    switch (problem_.collective) {
      case Collective::reduce:
      case Collective::scan:
      case Collective::exscan:
        return {n_ - 1, multiplied(n_ - 1, m_)};
      case Collective::reduce_scatter:  // the owner of the only word has nothing to send
        return {m_ == 1 ? n_ - 1 : n_, multiplied(n_ - 1, m_)};
      case Collective::allreduce:
      case Collective::allgather:
        return {n_, multiplied(n_, m_)};
      case Collective::alltoall:
      case Collective::barrier:
        return {n_, 0};
      default:
        return {0, 0};
    }
  }

  /// The members that first know all are at most as many as can receive in a cycle, and have to send to the others.
  void add_last_ones() {
    const Wide p = view_.processors();
    // Two neighbours cannot send to each other in the same cycle.
    if (rules_.is_half_of_links()) best_.steps(2, [] { return "two that exchange take turns"; });
    if (!has_all()) return;
    const Wide copied = rules_.copies(p, view_.links(), view_.most_degree());
    best_.steps(divided_up(2 * (n_ - 1), copied),
                [&] { return to_string(2 * (n_ - 1)) + " messages, " + a_step(copied) + ", as one-way gossip takes"; });
    const Wide complete = rules_.receivers(p, view_.links(), view_.most_degree());
    const std::vector<Rank> ranks = centres();
    if (complete >= n_ || (!view_.is_alike() && ranks.size() < p)) return;
    std::uint64_t first = ~std::uint64_t{0};
    for (const Rank rank : ranks) {
      const auto seen = around(rank);
      if (!seen) return;
      first = std::min(first, std::max(steps_to_reach_all(*seen, rules_.collects()), seen->eccentricity()));
    }
    const Wide more = divided_up(n_ - complete, complete);
    best_.steps(first + more, [&] {
      return "after " + counted(first, "step") + " at most " + counted(complete, "processor") +
             " can know all, and as many more in every other step, " + rules_.text();
    });
  }

  /// m words of every member go away from the rank, or come to it, past every distance.
  void add_beyond(Rank rank, const Around& seen, bool leaves) {
    if (m_ == 0) return;
    struct Past {
      std::size_t distance = 0;
      Wide words = 0;
      Wide at_once = 1;
      Wide cycles() const { return distance + divided_up(words, at_once); }
    };
    Past most;
    Wide beyond = n_;
    for (std::size_t distance = 0; distance + 1 < seen.processors.size(); ++distance) {
      beyond -= std::min(beyond, seen.processors[distance]);
      if (beyond == 0) break;
      MachineCut cut{seen.links[distance], seen.processors[distance], seen.processors[distance + 1]};
      if (!leaves) std::swap(cut.near_border, cut.far_border);
      const Wide at_root = leaves ? rules_.out(seen.degree()) : rules_.in(seen.degree());
      const Past past{distance, beyond * m_, distance == 0 ? at_root : rules_.across(cut)};
      if (past.cycles() > most.cycles()) most = past;
    }
    best_.longest_sum(most.cycles(), [&] {
      return words_that(most.words, leaves ? "leave" : "enter") + " " + rank_text(rank) +
             (most.distance > 0 ? " past a distance of " + counted(most.distance, "link") : "") + ", " +
             a_step(most.at_once);
    });
  }

  /// Every member sends to all, and receives from all.
  void add_among_all(Rank rank) {
    const auto seen = around(rank);
    if (!seen) return;
    add_steps(rank, *seen, rules_.reaches());
    add_steps(rank, *seen, rules_.collects());
    switch (problem_.collective) {
      case Collective::allgather:
        add_spread(rank);
        add_beyond(rank, *seen, false);
        add_turns(rank, *seen, (n_ - 1) * m_, m_);
        break;
      case Collective::alltoall:
        add_beyond(rank, *seen, false);
        add_beyond(rank, *seen, true);
        add_balls(*seen);
        add_turns(rank, *seen, (n_ - 1) * m_, (n_ - 1) * m_);
        break;
      case Collective::allreduce:
        add_spread(rank);
        add_collection(rank);
        add_turns(rank, *seen, m_, m_);
        break;
      case Collective::reduce_scatter: {
        // The rank may have the longest part; where all are alike, look at one with the shortest.
        const Wide others = m_ - (view_.is_alike() ? m_ / n_ : divided_up(m_, n_));
        const Wide leaving = rules_.out(seen->degree());
        best_.longest_sum(divided_up(others, leaving),
                          [&] { return words_that(others, "leave") + " a processor for others, " + a_step(leaving); });
        break;
      }
      default:
        break;
    }
  }

  /// The rank cannot send in a cycle in which it receives.
  void add_turns(Rank rank, const Around& seen, Wide entering, Wide leaving) {
    if (!rules_.is_half() || m_ == 0) return;
    const Wide in = rules_.in(seen.degree());
    const Wide out = rules_.out(seen.degree());
    best_.longest_sum(divided_up(entering, in) + divided_up(leaving, out), [&] {
      return words_that(entering, "enter") + " " + rank_text(rank) + ", " + a_step(in) + ", and " + to_string(leaving) +
             (leaving == 1 ? " leaves" : " leave") + " it in other cycles, " + a_step(out);
    });
  }

  /// `out` different words have to cross the cut out of its near side, and `in` of them into it.
  void add_crossing(const MachineCut& cut, Wide out, Wide in) {
    const auto add = [&](Wide all, Wide at_once) {
      best_.longest_sum(divided_up(all, at_once), [&] {
        return words_that(all, "cross") + " " + counted(cut.links, "link") + ", " + a_step(at_once);
      });
    };
    if (out > 0) add(out, rules_.across(cut));
    if (in > 0) add(in, rules_.across({cut.links, cut.far_border, cut.near_border}));
    add(out + in, rules_.both_ways(cut));
  }

  /// Half of the pairs of an alltoall cross a cut one way, half the other.
  void add_cut(const MachineCut& cut, Wide near) {
    const Wide words = near * (n_ - near) * m_;
    add_crossing(cut, words, words);
  }

  void add_narrow_cut(const NarrowCut& narrow) {
    if (!has_all() || m_ == 0) return;
    const auto& [cut, near] = static_cast<const KnownCut&>(narrow);
    const Wide far = n_ - near;
    const bool leaves = narrow.is_near[problem_.root];
    const auto add_one_way = [&](Wide words, bool out) { add_crossing(cut, out ? words : 0, out ? 0 : words); };
    switch (problem_.collective) {
      case Collective::broadcast:
        add_one_way(m_, leaves);
        break;
      case Collective::reduce:
        add_one_way(m_, !leaves);
        break;
      case Collective::scatter:
        add_one_way((leaves ? far : near) * m_, leaves);
        break;
      case Collective::gather:
        add_one_way((leaves ? far : near) * m_, !leaves);
        break;
      case Collective::allgather:
        add_crossing(cut, near * m_, far * m_);
        break;
      case Collective::alltoall:
        add_cut(cut, near);
        break;
      case Collective::allreduce:
        add_crossing(cut, m_, m_);
        break;
      case Collective::reduce_scatter:  // a part of the result has m/n words, rounded up or down
        add_crossing(cut, far * (m_ / n_), near * (m_ / n_));
        break;
      default:
        break;
    }
  }

  /// Around a processor, within every distance.
  void add_balls(const Around& seen) {
    if (!has_all() || m_ == 0) return;
    KnownCut most{{1, 1, 1}, 0};
    Wide cycles = 0;
    Wide near = 0;
    for (std::size_t distance = 0; distance + 1 < seen.processors.size(); ++distance) {
      near += seen.processors[distance];
      const MachineCut cut{seen.links[distance], seen.processors[distance], seen.processors[distance + 1]};
      const Wide words = near * (n_ - near) * m_;
      const Wide needed = std::max(divided_up(words, rules_.across(cut)), divided_up(2 * words, rules_.both_ways(cut)));
      if (needed <= cycles) continue;
      cycles = needed;
      most = {cut, near};
    }
    if (cycles > 0) add_cut(most.cut, most.near);
  }

  void add_totals() {
    if (m_ == 0) return;
    const Wide copied = rules_.copies(view_.processors(), view_.links(), view_.most_degree());
    const auto add = [&](Wide receipts) {
      best_.longest_sum(divided_up(receipts * m_, copied),
                        [&] { return to_string(receipts * m_) + " words received, " + a_step(copied); });
    };
    switch (problem_.collective) {
      case Collective::allgather:
        add(n_ * (n_ - 1));
        break;
      case Collective::alltoall: {
        if (!has_all()) break;
        const Wide received = rules_.receipts(view_.processors(), view_.links());
        if (const auto hops = view_.sum_of_distances()) {
          best_.longest_sum(divided_up(multiplied(*hops, m_), received), [&] {
            return "distances of " + to_string(*hops) + " together, " + counted(m_, "word") + " each, " +
                   a_step(received);
          });
        }
        for (const KnownCut& known : view_.cuts()) add_cut(known.cut, known.near);
        add_loads();
        break;
      }
      case Collective::allreduce:
        add(2 * (n_ - 1));
        break;
      case Collective::reduce_scatter:
        add(n_ - 1);
        break;
      default:
        break;
    }
  }

  /// What links have to carry, and what a processor through which everything between two sides goes.
  void add_loads() {
    if (rules_.sends_on_all_ports()) {
      const auto loads = loads_of_links(problem_.machine);
      const Wide directions = problem_.model.duplex == Duplex::full ? 1 : 2;  // that share a link
      for (const Fraction& load : *loads) {
        best_.longest_sum((load * Fraction(directions * m_)).ceil(),
                          [&] { return "blocks over a link each way on average: " + load.to_string(); });
      }
    } else if (const auto passed = view_.tree_bound(); passed && rules_.sends_at_once() == 1) {
      best_.longest_sum(multiplied(*passed, m_), [&] { return "a processor sends " + counted(*passed, "block"); });
    }
  }

  /// Everything between the parts goes through one processor.
  void add_parting(const Parting& parting) {
    if (!has_all()) return;
    const auto argument = [&] { return "all between its sides goes through " + rank_text(parting.between); };
    switch (problem_.collective) {
      case Collective::allgather:
      case Collective::alltoall:
      case Collective::allreduce:
      case Collective::reduce_scatter:
      case Collective::barrier:
        if (rules_.collects() == 1) best_.steps(steps_in_between(parting), argument);
        if (m_ > 0 && problem_.collective == Collective::allgather) {
          Through moved = words_in_between(
              parting, [&](const auto& part) { return part.processors * m_; },
              [&](const auto& part) { return (n_ - part.processors) * m_; });
          if (rules_.spreads()) moved.out = std::max(moved.out, divided_up(n_ * m_, rules_.sends_at_once()));
          best_.longest_sum(cycles_of(moved), argument);
        }
        if (m_ > 0 && problem_.collective == Collective::alltoall) {
          const auto crossing = [&](const auto& part) { return part.processors * (n_ - part.processors) * m_; };
          Through moved = words_in_between(parting, crossing, crossing);
          Wide different = 0;
          for (const Parting::Part& part : parting.parts) different += crossing(part);
          moved.out = std::max(moved.out, divided_up(different, rules_.sends_at_once()));
          best_.longest_sum(cycles_of(moved), argument);
        }
        break;
      case Collective::broadcast:
        if (m_ > 0) best_.longest_sum(broadcast_in_between(parting), argument);
        break;
      case Collective::scatter:
      case Collective::gather:
        if (m_ > 0 && parting.between != problem_.root) best_.longest_sum(blocks_in_between(parting), argument);
        break;
      default:
        break;
    }
  }

  /// It hears from every part, and sends to every part but the one of which it heard last.
  Wide steps_in_between(const Parting& parting) const {
    const Wide parts = parting.parts.size();
    if (rules_.spreads()) return parts + 1;
    const bool has_bridges = rules_.is_half_of_links() &&
                             std::ranges::all_of(parting.parts, [](const auto& part) { return part.links == 1; });
    return 2 * parts - (has_bridges || rules_.is_half() ? 0 : 1);
  }

  /// Cycles in which the processor in between receives at least, in which it sends, and in which a link of its is busy.
  struct Through {
    Wide in = 0;
    Wide out = 0;
    Wide busiest = 0;
  };

  template <class In, class Out>
  Through words_in_between(const Parting& parting, const In& words_in, const Out& words_out) const {
    Through all;
    Through most;
    for (const Parting::Part& part : parting.parts) {
      const Wide in = words_in(part);
      const Wide out = words_out(part);
      all.in += in;
      all.out += out;
      most.in = std::max(most.in, divided_up(in, part.links));
      most.out = std::max(most.out, divided_up(out, part.links));
      most.busiest = std::max(most.busiest, divided_up(in + out, part.links));
    }
    most.in = std::max(most.in, divided_up(all.in, rules_.collects()));
    if (!rules_.spreads()) most.out = std::max(most.out, divided_up(all.out, rules_.sends_at_once()));
    return most;
  }

  Wide cycles_of(const Through& moved) const {
    if (rules_.is_half()) return moved.in + moved.out;
    return std::max({moved.in, moved.out, rules_.is_half_of_links() ? moved.busiest : 0});
  }

  Wide broadcast_in_between(const Parting& parting) {
    const bool copies = rules_.spreads();
    if (parting.between == problem_.root) {
      if (rules_.sends_on_all_ports()) return 0;
      return divided_up((copies ? Wide{1} : parting.parts.size()) * m_, rules_.collects());
    }
    const Wide away = distance_from_root(parting.between);
    Wide in = 1;
    Wide out = copies ? Wide{0} : divided_up((parting.parts.size() - 1) * m_, rules_.sends_at_once());
    for (std::size_t part = 0; part < parting.parts.size(); ++part) {
      const Wide links = parting.parts[part].links;
      if (part == parting.part_of[problem_.root]) {
        in = rules_.in(links);
      } else {
        out = std::max(out, divided_up(m_, rules_.out(links)));
      }
    }
    return rules_.is_in_turns() ? away - 1 + divided_up(m_, in) + out : away + out;
  }

  Wide blocks_in_between(const Parting& parting) {
    Wide passed = 0;
    Wide near_links = 1;
    Wide far = 0;
    for (std::size_t part = 0; part < parting.parts.size(); ++part) {
      const Wide links = rules_.in(parting.parts[part].links);
      if (part == parting.part_of[problem_.root]) {
        near_links = links;
        continue;
      }
      const Wide words = parting.parts[part].processors * m_;
      passed += words;
      far = std::max(far, divided_up(words, links));
    }
    far = std::max(far, divided_up(passed, rules_.collects()));
    const Wide near = divided_up(passed + m_, near_links);
    const Wide away = distance_from_root(parting.between);
    return rules_.is_in_turns() ? away - 1 + near + far : std::max(away - 1 + near, away + far);
  }

  Wide distance_from_root(Rank rank) {
    if (distances_.empty()) distances_ = view_.distances_from(problem_.root);
    return distances_[rank];
  }

  const Problem& problem_;
  MachineView view_;
  Rules rules_;
  Wide m_;
  Wide n_;
  BestKnown best_;
  std::optional<std::pair<Rank, Around>> last_seen_;
  std::vector<Wide> degrees_;             // by rank
  std::vector<std::uint32_t> distances_;  // from the root
};

}  // namespace

LowerBound on_network(const Problem& problem) { return OnNetwork(problem).found(); }

}  // namespace lockstep::bounds
