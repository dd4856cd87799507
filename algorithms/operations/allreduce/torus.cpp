#include <limits>

#include "allreduce.hpp"
#include "method/predicted.hpp"
#include "parts/torus_copies.hpp"
#include "parts/vectors.hpp"

// Allreduce on a torus, one dimension after the other (collectives.md, Allreduce over links).
namespace lockstep {
namespace allreduce {
namespace {

using parts::TorusCopies;

// In every step of its ring all parts of a copy are on their way, `together` in a message; some messages are a word
// longer than others unless all are alike.
Prediction predict_torus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const TorusCopies copies(machine, model);
  const Rank processors = static_cast<Rank>(machine.processors);
  const parts::Parts parts(*settings.words, static_cast<Rank>(copies.count()) * processors);
  const auto longest = [&](std::size_t copy, Rank together) {
    const Rank first = static_cast<Rank>(copy) * processors;
    const Wide shortest = Wide{together} * *settings.words / parts.count();
    const bool some_longer =
        parts.first(first + processors) - parts.first(first) > Wide{processors / together} * shortest;
    return shortest + (some_longer ? 1 : 0);
  };
  method::StepLengths lengths(model.cost);
  for (int half = 0; half < 2; ++half) copies.add_steps(longest, lengths);
  const Wide p = machine.processors;
  const bool one = copies.count() == 1;
  Prediction prediction =
      method::predicted(lengths, 2 * copies.count() * p * copies.messages_of_a_rank(), 2 * (p - 1) * *settings.words,
                        {one ? "2 sum (a_i - 1)" : "2 d max (a_i - 1)",
                         one ? "2 p sum (a_i - 1)" : "2 c p sum (a_i - 1), c copies", "2 (p - 1) m",
                         one ? "2 sum (a_i - 1) ceil(m/(a_1 .. a_i)); 2 m (1 - 1/p) if p divides m"
                             : "the longest messages; 2 m (1 - 1/p)/c if c p divides m and the sides are equal"});
  if (one) {
    parts::predict_operations(machine, settings, lengths.sum() / 2, prediction);
  } else {
    parts::predict_operations(
        machine, model, settings, parts, [&] { return copies.scatter(); }, prediction);
  }
  return prediction;
}

void resolve_torus(const MachineSpec& machine, const Model& model, Settings& settings) {
  const Wide parts = Wide{TorusCopies(machine, model).count()} * machine.processors;
  if (parts > std::numeric_limits<Rank>::max()) {
    throw InputError("allreduce/torus cuts the vector into fewer than 2^32 parts; " + machine.text + " is too large");
  }
  parts::resolve_words(parts, settings);
  parts::resolve_in_any_order(machine, model, settings);
}

Outcome run_torus(const RunRequest& request) {
  const TorusCopies copies(request.machine, request.model);
  const Rank parts = static_cast<Rank>(copies.count() * request.machine.processors);
  return parts::run(request, copies.scatter() + copies.gather(), parts, parts::Share::all);
}

}  // namespace
}  // namespace allreduce

extern const Method allreduce_torus_method = allreduce::over_links({
    .name = "allreduce/torus",
    .families = {"torus"},
    .source = "Cho et al. 2019; Sack & Gropp 2015 (collectives.md, Allreduce over links)",
    .summary =
        "rings of one dimension after the other scatter what is reduced, and gather it the same way back; with all "
        "ports several copies at once, which begin elsewhere",
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = allreduce::resolve_torus,
    .predict = allreduce::predict_torus,
    .run = allreduce::run_torus,
});

}  // namespace lockstep
