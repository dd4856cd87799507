// Total exchange with all ports on Cayley graphs (dimakopoulos.md, All ports).
#include <algorithm>
#include <deque>
#include <map>

#include "all_port_exchanges.hpp"
#include "lockstep/machines/cayley.hpp"
#include "plans/turns/edge_colouring.hpp"

namespace lockstep::alltoall {
namespace {

/// A generator that serves a job in a step.
struct CayleyExchangeHop {
  Rank step;
  Port generator;
};

/// The exchange in which all nodes send by the hops of every job.
TotalExchange exchange_of(const CayleyGraph& graph, const std::vector<std::vector<CayleyExchangeHop>>& hops_of_jobs,
                          Rank steps) {
  TotalExchange exchange{.nodes = graph.nodes()};
  exchange.steps.resize(steps);
  for (const std::vector<CayleyExchangeHop>& hops : hops_of_jobs) {
    for (Rank origin = 0; origin < graph.nodes(); ++origin) {
      Rank destination = origin;
      for (const CayleyExchangeHop& hop : hops) destination = graph.times(destination, hop.generator);
      Rank at = origin;
      for (const auto& [step, generator] : hops) {
        const Rank next = graph.times(at, generator);
        exchange.steps[step].push_back({at, next, origin, destination});
        at = next;
      }
    }
  }
  return exchange;
}

// Where the group is commutative, as that of a circulant graph, the hops of a job may come in any order, and the edges
// between jobs and generators are coloured. Of an element's shortest words, as counts by generator, the one that makes
// the loads of the generators most even (the least sum of their squares) is chosen, repeatedly until nothing changes.
class CommutativePlan {
 public:
  explicit CommutativePlan(const CayleyGraph& graph) : graph_(graph), load_(graph.generators()) {
    list_words();
    for (const std::vector<GeneratorWord>& words : words_) {
      word_of_.push_back(words.front());
      change_loads(words.front(), 1);
    }
    while (even_out()) {
    }
    for (Rank job = 0; job < graph.nodes(); ++job) {
      for (Port s = 0; s < graph.generators(); ++s) parts_.insert(parts_.end(), word_of_[job][s], {job, s});
    }
  }

  Rank steps() const { return turns::busiest_end(graph_.nodes(), graph_.generators(), parts_); }

  TotalExchange run() const {
    const std::vector<Rank> step_of = turns::steps_of_parts(graph_.nodes(), graph_.generators(), parts_);
    std::vector<std::vector<CayleyExchangeHop>> hops(graph_.nodes());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      hops[parts_[part].job].push_back({step_of[part], parts_[part].resource});
    }
    for (std::vector<CayleyExchangeHop>& of_job : hops) std::ranges::sort(of_job, {}, &CayleyExchangeHop::step);
    return exchange_of(graph_, hops, steps());
  }

 private:
  using GeneratorWord = std::vector<Rank>;
  static constexpr std::size_t most_words = 16;  // kept per element, which may have very many

  void list_words() {
    words_.resize(graph_.nodes());
    words_[0] = {GeneratorWord(graph_.generators())};
    const std::vector<Rank> distance = graph_.distances();
    std::vector<Rank> nearest_first(graph_.nodes());
    for (Rank x = 0; x < graph_.nodes(); ++x) nearest_first[x] = x;
    std::ranges::stable_sort(nearest_first, {}, [&](Rank x) { return distance[x]; });
    for (const Rank x : nearest_first) {
      for (Port s = 0; s < graph_.generators(); ++s) {
        const Rank farther = graph_.times(x, s);
        if (distance[farther] != distance[x] + 1) continue;
        for (GeneratorWord word : words_[x]) {
          ++word[s];
          std::vector<GeneratorWord>& known = words_[farther];
          if (known.size() < most_words && std::ranges::find(known, word) == known.end()) known.push_back(word);
        }
      }
    }
  }

  void change_loads(const GeneratorWord& word, std::int64_t by) {
    for (Port s = 0; s < graph_.generators(); ++s) load_[s] += by * word[s];
  }
  std::int64_t unevenness() const {
    std::int64_t sum = 0;
    for (const std::int64_t load : load_) sum += load * load;
    return sum;
  }

  /// Chooses better words; returns whether any element has another one.
  bool even_out() {
    bool changed = false;
    for (Rank x = 0; x < graph_.nodes(); ++x) {
      std::int64_t least = unevenness();
      for (const GeneratorWord& word : words_[x]) {
        change_loads(word_of_[x], -1);
        change_loads(word, 1);
        if (unevenness() < least) {
          least = unevenness();
          word_of_[x] = word;
          changed = true;
        } else {
          change_loads(word, -1);
          change_loads(word_of_[x], 1);
        }
      }
    }
    return changed;
  }

  const CayleyGraph& graph_;
  std::vector<std::vector<GeneratorWord>> words_;  // by element
  std::vector<GeneratorWord> word_of_;             // the chosen one, by element
  std::vector<std::int64_t> load_;                 // by generator
  std::vector<turns::JobPart> parts_;
};

// All nodes send alike: a job is an element g != e, and has one message at every node. The hops left to it are g = s_1
// .. s_r; the plan keeps the inverse q, which a hop over s takes to q s, and which is e in the end. In a step a
// generator serves one job, and a job takes one generator that brings it nearer. Jobs with the longest way left are
// matched first, and may move others to another generator, but not displace them (augmenting paths).
class CayleyPlan {
 public:
  explicit CayleyPlan(const CayleyGraph& graph)
      : graph_(graph), distance_(graph.distances()), class_of_(graph.nodes()), hops_(graph.nodes()) {
    std::map<std::vector<Port>, Rank> classes;
    Rank diameter = 0;
    for (Rank q = 0; q < graph.nodes(); ++q) {
      std::vector<Port> nearer;
      for (Port s = 0; s < graph.generators(); ++s) {
        if (distance_[graph.times(q, s)] < distance_[q]) nearer.push_back(s);
      }
      class_of_[q] = classes.emplace(nearer, static_cast<Rank>(classes.size())).first->second;
      if (class_of_[q] == nearer_.size()) nearer_.push_back(nearer);
      diameter = std::max(diameter, distance_[q]);
    }
    waiting_.resize(diameter + std::size_t{1}, std::vector<std::deque<Job>>(nearer_.size()));
    for (Rank q = 1; q < graph.nodes(); ++q) wait({q, q});
    while (left_ > 0) do_step();
  }

  Rank steps() const { return steps_; }

  TotalExchange run() const { return exchange_of(graph_, hops_, steps_); }

 private:
  struct Job {
    Rank first;  ///< its q at the start, which identifies it
    Rank q;
  };

  void wait(const Job& job) {
    waiting_[distance_[job.q]][class_of_[job.q]].push_back(job);
    ++left_;
  }

  void do_step() {
    std::vector<Job> chosen;
    std::vector<std::size_t> served(graph_.generators(), chosen.max_size());  // by generator, the index in chosen
    for (std::size_t length = waiting_.size(); --length > 0 && chosen.size() < graph_.generators();) {
      for (std::deque<Job>& alike : waiting_[length]) {
        while (!alike.empty()) {
          chosen.push_back(alike.front());
          std::vector<bool> seen(graph_.generators());
          if (!serve(chosen.size() - 1, chosen, served, seen)) {
            chosen.pop_back();
            break;  // no other of the class would be served either
          }
          alike.pop_front();
          --left_;
        }
      }
    }
    for (Port s = 0; s < graph_.generators(); ++s) {
      if (served[s] == chosen.max_size()) continue;
      const auto [first, q] = chosen[served[s]];
      hops_[first].push_back({steps_, s});
      const Rank next = graph_.times(q, s);
      if (next != 0) wait({first, next});
    }
    ++steps_;
  }

  /// Finds a generator for the job, if jobs already served can change theirs.
  bool serve(std::size_t job, const std::vector<Job>& chosen, std::vector<std::size_t>& served,
             std::vector<bool>& seen) const {
    for (const Port s : nearer_[class_of_[chosen[job].q]]) {
      if (seen[s]) continue;
      seen[s] = true;
      if (served[s] == chosen.max_size() || serve(served[s], chosen, served, seen)) {
        served[s] = job;
        return true;
      }
    }
    return false;
  }

  const CayleyGraph& graph_;
  std::vector<Rank> distance_;                         // from e
  std::vector<std::vector<Port>> nearer_;              // by class: generators that lead nearer to e
  std::vector<Rank> class_of_;                         // by element
  std::vector<std::vector<std::deque<Job>>> waiting_;  // by distance and class
  std::vector<std::vector<CayleyExchangeHop>> hops_;   // by job
  std::uint64_t left_ = 0;
  Rank steps_ = 0;
};

}  // namespace

TotalExchange cayley_exchange(const MachineSpec& machine) {
  const CayleyGraph graph(machine);
  return machine.family == "circulant" ? CommutativePlan(graph).run() : CayleyPlan(graph).run();
}

Wide steps_of_cayley(const MachineSpec& machine) {
  const CayleyGraph graph(machine);
  return machine.family == "circulant" ? CommutativePlan(graph).steps() : CayleyPlan(graph).steps();
}

}  // namespace lockstep::alltoall
