#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/hypercube.hpp"

// What the exchanges on all dimensions of the cube at once share: TEA1 and TEA2 of Saad & Schultz 1985, section 4.3. A
// token is a block, labelled with its source; its distance is that of a receiver from the source. TEA1 and TEA2 differ
// in which of the tokens that it could send over a dimension a processor does send.
namespace lockstep::allgather::tea {

/// The tokens that cross each dimension, in terms of `relative` = source xor receiver: the same at all processors.
class TokenSelection {
 public:
  /// `crosses` returns for each relative address 1 .. 2^n - 1 whether its token comes over the dimension, in which it
  /// has a one.
  TokenSelection(Port n, const std::function<bool(Rank relative, Port dimension)>& crosses);

  /// The relative addresses of the tokens at these distances that come over the dimension, nearest first.
  std::span<const Rank> tokens(Port dimension, Port least_distance, Port most_distance) const;

 private:
  std::vector<std::vector<Rank>> by_dimension_;  // ordered by distance
};

/// TEA1's on the n-cube: every dimension over which a token could come.
TokenSelection every_dimension(Port n);
/// TEA2's: one of these dimensions, so that all carry equal shares.
TokenSelection one_dimension(Port n);

/// The three forms of TEA1 and TEA2 (saad-schultz-1985.md, TEA1, TEA2).
enum class TeaForm {
  full,    ///< all processors send in every step: links carry both directions at once
  half,    ///< each step of the full form is two: the processors of even parity send, then those of odd parity
  grouped  ///< the parities take turns, and each sends in one step what it would in two: n+1 steps
};

/// The messages of one step.
struct Pass {
  bool even_sends = false;
  bool odd_sends = false;
  Port least_distance = 0;
  Port most_distance = 0;

  /// Whether processors of this parity of one bits send.
  bool sends(bool odd) const { return odd ? odd_sends : even_sends; }
};

/// The steps of the form on the n-cube, one a cycle.
std::vector<Pass> passes(TeaForm form, Port n);

/// The full form where links carry both directions at once, else the half form.
TeaForm form_for(const Model& model);
inline TeaForm grouped_form(const Model&) { return TeaForm::grouped; }

/// The looks at tokens: a sender looks in each pass at the label of every token that it holds, once for each neighbour.
struct Looks {
  Wide of_all = 0;        ///< of all processors and passes
  Wide of_busiest = 0;    ///< of the busiest processor of each pass, summed over the passes
  std::string_view text;  ///< of of_all, for people
};

/// The looks of the form on the n-cube (saad-schultz-1985.md, Looks at tokens).
Looks looks(TeaForm form, std::uint64_t n);

/// The prediction with the looks, and their time if they have a cost.
Prediction with_looks(Prediction prediction, const Looks& looks, const CostModel& cost);

/// The program of every processor: in each pass it looks at its tokens, sends on every dimension those of the
/// selection, and keeps those it receives that are new, cycles counted from `origin`. Throws std::logic_error if it
/// receives anything else. Needs all ports, and full duplex in the full form; the others are legal also where a
/// processor may only send or only receive.
Process exchange(Processor<Bundle>& self, std::span<const Pass> passes, const TokenSelection& selection,
                 Collection& collection, Cycle origin = 0);

Outcome run(const RunRequest& request, TeaForm form, const TokenSelection& selection);

/// C(n, k); 0 if k > n. n is at most 33.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k);

/// The catalogue entry of TEA1 or TEA2 in the form that form_of(model) returns: predict(form, machine, model,
/// settings), bytes as in Method, and the selection on the n-cube.
template <TeaForm (*form_of)(const Model&), auto predict, auto bytes, TokenSelection (*selection)(Port n)>
Method method(std::string_view name, const std::vector<std::string_view>& aliases, std::string_view source,
              std::string_view summary) {
  return {.name = name,
          .aliases = aliases,
          .operation = "allgather",
          .known_as = "total exchange",
          .families = {"hypercube"},
          .source = source,
          .summary = summary,
          .parameters = {words_parameter},
          .defaults = {.ports = PortModel::all},
          .port_models = {PortModel::all},
          .strictest_duplex = Duplex::half_node,
          .resolve = allgather::resolve,
          .predict =
              [](const MachineSpec& machine, const Model& model, const Settings& settings) {
                const TeaForm form = form_of(model);
                return with_looks(predict(form, machine, model, settings), looks(form, machine.ports), model.cost);
              },
          .bytes = bytes,
          .run =
              [](const RunRequest& request) {
                return run(request, form_of(request.model), selection(request.topology.ports()));
              }};
}

}  // namespace lockstep::allgather::tea
