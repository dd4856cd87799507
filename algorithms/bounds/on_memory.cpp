#include <algorithm>

#include "bounds/best_known.hpp"
#include "bounds/on_network.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"

// A processor has one access to the memory in a cycle, and what is written can be read in later cycles only.
namespace lockstep::bounds {
namespace {

/// Words that all processors write at least, that all read, and the fewest cycles in which one processor has its own
/// accesses, of a word each.
struct Accesses {
  Wide written;
  Wide read;
  Wide by_one;
};

/// For m words, of n members. Before a read there is a cycle of a write, and after a write one of a read.
std::optional<Accesses> accesses(Collective collective, Wide n, Wide m) {
  switch (collective) {
    case Collective::broadcast:
      return Accesses{m, (n - 1) * m, m + 1};
    case Collective::scatter:
    case Collective::gather:
      return Accesses{(n - 1) * m, (n - 1) * m, (n - 1) * m + 1};
    case Collective::reduce:
      return Accesses{(n - 1) * m, (n - 1) * m, m + 1};
    case Collective::allgather:
      return Accesses{n * m, multiplied(n * (n - 1), m), n * m};
    case Collective::alltoall:
      return Accesses{multiplied(n * (n - 1), m), multiplied(n * (n - 1), m), 2 * (n - 1) * m};
    case Collective::allreduce:
      return Accesses{n * m, 2 * (n - 1) * m, 2 * m};
    case Collective::scan:
    case Collective::exscan:
      return Accesses{(n - 1) * m, (n - 1) * m, m + 1};
    case Collective::reduce_scatter:
      return Accesses{(n - 1) * m, (n - 1) * m, m - divided_up(m, n) + 1};
    default:
      return std::nullopt;
  }
}

/// Processors that have to write, and to read, at least once.
std::pair<Wide, Wide> writers_and_readers(Collective collective, Wide n, Wide m) {
  if (collective == Collective::reduce_scatter && m < n) return {m == 1 ? n - 1 : n, std::max(m, Wide{1})};
  switch (collective) {
    case Collective::broadcast:
    case Collective::scatter:
      return {1, n - 1};
    case Collective::gather:
    case Collective::reduce:
      return {n - 1, 1};
    case Collective::scan:
    case Collective::exscan:
      return {n - 1, n - 1};
    default:
      return {n, n};
  }
}

}  // namespace

LowerBound on_memory(const Problem& problem) {
  const Wide n = members_of(problem);
  const Wide at_once = users_at_once(*problem.machine.medium);
  const auto [writers, readers] = writers_and_readers(problem.collective, n, problem.words);
  BestKnown best;
  best.steps(divided_up(std::max(writers, readers), at_once) + 1,
             [] { return "all read what others have written before"; });
  best.steps(divided_up(writers + readers, at_once),
             [&] { return to_string(writers + readers) + " accesses, " + to_string(at_once) + " a step"; });
  const auto words = accesses(problem.collective, n, problem.words);
  if (problem.words > 0 && words) {
    best.longest_sum(words->by_one, [] { return "the accesses of one processor"; });
    best.longest_sum(words->written / at_once + words->read / at_once +
                         divided_up(words->written % at_once + words->read % at_once, at_once),
                     [&] {
                       return to_string(words->written) + " words written and " + to_string(words->read) + " read, " +
                              to_string(at_once) + " a step";
                     });
  }
  return best.known();
}

}  // namespace lockstep::bounds
