#include "lockstep/algorithms/carried_prediction.hpp"

#include <algorithm>
#include <array>

#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/machines/reduced_hypercube_embeddings.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace {

/// The senders in a step of the hypercube, all over one dimension.
enum class Senders {
  all,     ///< every processor, so that neighbours exchange
  blocks,  ///< between building blocks: all of some blocks, none of which receives
  corners  ///< between building blocks: the root's node in some blocks, none of which receives
};

/// Steps of the hypercube over one dimension.
struct CubeCrossing {
  Port dimension;
  Wide steps;  ///< their number
  Senders kind;
  Wide senders;  ///< in each of them
  Wide words;    ///< of every message
};

/// The method's run on the v-cube.
struct Cube {
  const Model& model;
  const Settings& settings;
  Port dimensions;

  Wide processors() const { return Wide{1} << dimensions; }
  Wide words() const { return settings.words.value_or(1); }
};

using CubeCrossings = std::vector<CubeCrossing>;

template <class Make>
CubeCrossings for_dimensions(const Cube& cube, const Make& make) {
  CubeCrossings crossings;
  for (Port d = 0; d < cube.dimensions; ++d) crossings.push_back(make(d));
  return crossings;
}

/// As many steps as a one-port machine takes: the holders double in each.
CubeCrossings of_binomial_broadcast(const Cube& cube) {
  if (cube.model.ports != PortModel::one) return {};
  return for_dimensions(cube, [&](Port d) { return CubeCrossing{d, 1, Senders::blocks, Wide{1} << d, cube.words()}; });
}

CubeCrossings of_binomial_reduction(const Cube& cube) {
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, 1, Senders::corners, cube.processors() >> (d + 1), cube.words()};
  });
}

CubeCrossings of_reduction(const Cube& cube) {
  const bool goes_on = *cube.settings.root != 0 && !find_operator(*cube.settings.operator_name).commutative;
  return goes_on ? CubeCrossings{} : of_binomial_reduction(cube);
}

CubeCrossings of_barrier(const Cube& cube) {
  CubeCrossings all = of_binomial_broadcast(cube);
  if (all.empty() || *cube.settings.arrivals != 0) return {};
  const CubeCrossings arrival = of_binomial_reduction(cube);
  all.insert(all.end(), arrival.begin(), arrival.end());
  return all;
}

/// The holders double, or in a gather halve, and the data that each sends shrinks accordingly.
CubeCrossings of_binomial_scatter(const Cube& cube) {
  if (cube.model.ports != PortModel::one) return {};
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, 1, Senders::blocks, Wide{1} << d, cube.words() << (cube.dimensions - 1 - d)};
  });
}

CubeCrossings of_adea(const Cube& cube) {
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, 1, Senders::all, cube.processors(), cube.words() << (cube.dimensions - 1 - d)};
  });
}

CubeCrossings of_scan(const Cube& cube) {
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, 1, Senders::all, cube.processors(), cube.words()};
  });
}

CubeCrossings of_total_exchange(const Cube& cube) {
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, 1, Senders::all, cube.processors(), cube.processors() / 2 * cube.words()};
  });
}

CubeCrossings of_bitonic_sort(const Cube& cube) {
  return for_dimensions(cube, [&](Port d) {
    return CubeCrossing{d, cube.dimensions - d, Senders::all, cube.processors(), cube.words()};
  });
}

/// The methods that use one dimension a step, and their dimensions.
struct MethodCrossings {
  std::string_view method;
  CubeCrossings (*crossings)(const Cube&);
};

constexpr std::array<MethodCrossings, 9> known{{{"allgather/adea", of_adea},
                                                {"alltoall/exchange", of_total_exchange},
                                                {"barrier/tree", of_barrier},
                                                {"broadcast/sbt", of_binomial_broadcast},
                                                {"gather/sbt", of_binomial_scatter},
                                                {"reduce/tree", of_reduction},
                                                {"scan/cube", of_scan},
                                                {"scatter/sbt", of_binomial_scatter},
                                                {"sort/bitonic", of_bitonic_sort}}};

/// The counts of crossings on RH(k,n); `root` is the processor from which corners are counted.
class Emulated {
 public:
  Emulated(const ReducedHypercube& rh, const Model& model, Rank root)
      : rh_(rh), model_(model), root_(root), lengths_(model.cost) {}

  void add(const CubeCrossing& crossing) {
    const Wide steps = crossing.steps * steps_of(crossing);
    const Wide messages = crossing.steps * crossing.senders * links_of(crossing);
    lengths_.add(steps, crossing.words);
    messages_ += messages;
    words_ += messages * crossing.words;
  }

  Prediction prediction() const {
    return {.steps = exact_count(lengths_.steps(), "sum of the steps of each dimension, mukherjee.md"),
            .messages = exact_count(messages_, "sum of the paths' lengths"),
            .words = exact_count(words_, "the same, times the words of each"),
            .longest_sum = exact_count(lengths_.sum(), "steps of each dimension, times their words"),
            .longest_startups = lengths_.startups()};
  }

 private:
  Wide steps_of(const CubeCrossing& crossing) const {
    if (crossing.kind == Senders::corners) return dilation(rh_, root_, crossing.dimension);
    return exchange_steps(rh_, crossing.dimension, model_.ports, crossing.kind == Senders::all);
  }
  /// Links of a path on average: for a whole block n + 1, since half of the n bits of its subblocks differ.
  Wide links_of(const CubeCrossing& crossing) const {
    if (crossing.kind == Senders::corners) return dilation(rh_, root_, crossing.dimension);
    return crossing.dimension < rh_.k() ? 1 : rh_.n() + 1;
  }

  const ReducedHypercube& rh_;
  const Model& model_;
  Rank root_;
  method::StepLengths lengths_;
  Wide messages_ = 0;
  Wide words_ = 0;
};

/// Nothing is predicted if the dimensions that the method crosses are not known.
Prediction emulated_prediction(const MachineSpec& host, const Method& method, const Model& model,
                               const Settings& settings) {
  const auto entry = std::ranges::find(known, method.name, &MethodCrossings::method);
  if (entry == known.end() || model.multicast || settings.group) return {};
  const ReducedHypercube rh(host);
  const CubeCrossings crossings = entry->crossings({model, settings, rh.address_bits()});
  if (crossings.empty()) return {};
  Emulated emulated(rh, model, static_cast<Rank>(settings.root.value_or(0)));
  for (const CubeCrossing& crossing : crossings) emulated.add(crossing);
  return emulated.prediction();
}

/// The part of a prediction that holds where messages do not cost start-ups and words on every link.
Prediction switched_prediction(Prediction prediction, const CostModel& cost, bool is_subgraph) {
  prediction.message_words.reset();
  prediction.longest_startups.reset();
  prediction.synchronous.reset();
  prediction.startups.reset();
  if (is_subgraph || cost.switching == Switching::store_and_forward) return prediction;
  prediction.steps.reset();
  prediction.longest_sum.reset();
  return prediction;
}

Prediction stored_prediction(const Embedding& embedding, const Method& method, const Model& model,
                             const Settings& settings) {
  Prediction own = method.predict(*embedding.machine, model, settings);
  own.asynchronous.reset();  // there are barriers between the guest's cycles
  const bool is_serialized = model.multicast && model.ports != PortModel::all;
  if (embedding.is_subgraph && !is_serialized) return own;
  Prediction prediction;
  if (embedding.is_emulation) prediction = emulated_prediction(embedding.host, method, model, settings);
  prediction.copied_words = own.copied_words;  // local work is the same everywhere
  prediction.scanned_blocks = own.scanned_blocks;
  prediction.operations = own.operations;
  prediction.most_operations = own.most_operations;
  return prediction;
}

bool keeps_ranks(const Embedding& embedding) {
  for (Rank rank = 0; rank < embedding.processors; ++rank) {
    if (embedding.place(rank) != rank) return false;
  }
  return true;
}

/// Whether other ranks for the processors change nothing but names of roots and of equal blocks.
bool is_for_any_order(Collective collective, std::uint64_t processors, const Settings& settings) {
  const auto commutes = [&] { return !settings.operator_name || find_operator(*settings.operator_name).commutative; };
  switch (collective) {
    case Collective::scan:
    case Collective::exscan:
      return false;
    case Collective::reduce:
    case Collective::allreduce:
      return commutes();
    case Collective::reduce_scatter:
      return commutes() && settings.words.value_or(1) % processors == 0;
    case Collective::barrier:
      return settings.arrivals.value_or(0) == 0;
    default:
      return true;
  }
}

}  // namespace

Prediction carried_prediction(const Embedding& embedding, const Method& method, const Model& model,
                              const Settings& settings) {
  const CostModel& cost = model.cost;
  Prediction prediction = stored_prediction(embedding, method, known_to_guest(model), settings);
  if (cost.switching == Switching::store_and_forward && cost.startup == StartupPer::hop) return prediction;
  return switched_prediction(std::move(prediction), cost, embedding.is_subgraph);
}

bool does_task_of_host(const Embedding& embedding, const Method& method, const Settings& settings) {
  const auto collective = collective_of(method.operation);
  if (!collective || embedding.processors < embedding.host.processors || settings.group) return false;
  return is_for_any_order(*collective, embedding.processors, settings) || keeps_ranks(embedding);
}

LowerBound carried_lower_bound(const Embedding& embedding, const Method& method, const Model& model,
                               const Settings& settings) {
  if (embedding.is_emulation) return lower_bound(method, *embedding.machine, model, settings);
  if (!embedding.is_subgraph || !does_task_of_host(embedding, method, settings)) return {};
  Settings on_host = settings;
  if (settings.root) on_host.root = embedding.place(static_cast<Rank>(*settings.root));
  return lower_bound(method, embedding.host, model, on_host);
}

}  // namespace lockstep
