#include <cmath>

#include "application.hpp"
#include "gathering.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "oracle.hpp"
#include "summation.hpp"

// The inner product of two vectors. Every processor multiplies its parts of them, and all processors need the sum
// (applications.md, Inner product).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_inner_product{
    {"size", "components of the vectors", "one a processor, at least 8 and at most 256"}, &Settings::size};
constexpr MethodParameter method_of_inner_product{
    {"method", "scan/cube, reduce/tree (and broadcast/sbt), allgather/adea or daisy-chain",
     "scan/cube, where there is no cube allgather/daisy-chain"},
    summation_methods};

void resolve_inner_product(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size_of_inner_product, machine, settings);
  method_of_inner_product.resolve(machine, model, settings);
}

Prediction predict_inner_product(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Split split(*settings.size, machine.processors);
  PredictedParts parts(machine, model);
  add_summation(parts, machine, settings, 1);
  parts.compute(Wide{2} * split.longest(), Wide{2} * split.words());
  return parts.prediction("one sum by " + *settings.method);
}

std::uint64_t bytes_inner_product(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(Wide{summation_bytes(machine, model, settings)} + 2 * Wide{*settings.size} * sizeof(double) +
                   machine.processors * 2 * sizeof(double));
}

struct Vectors {
  Doubles a;
  Doubles b;
};

/// Components from 1 to 2, so that no part of the sum is small.
Vectors generated_vectors(const Settings& settings) {
  Vectors vectors;
  for (std::uint64_t index = 0; index < *settings.size; ++index) {
    vectors.a.push_back(1 + generated_number(settings.seed, 0, index));
    vectors.b.push_back(1 + generated_number(settings.seed, 1, index));
  }
  return vectors;
}

/// The data of one processor.
struct InnerProductState {
  double product = 0;  ///< of its parts, and then of the vectors
  Notes notes;
};

double multiply(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t index = 0; index < a.size(); ++index) sum += a[index] * b[index];
  return sum;
}

template <Payload T>
Process inner_product(Processor<T>& self, const Split& split, const Vectors& vectors, Summation<T>& summation,
                      InnerProductState& state) {
  const std::uint64_t first = split.first(self.rank());
  const std::uint64_t size = split.size(self.rank());
  self.hold(2 * size);
  {
    const Arithmetic arithmetic(self, 2 * size, state.notes.seconds);
    state.product = multiply(std::span(vectors.a).subspan(first, size), std::span(vectors.b).subspan(first, size));
  }
  co_await summation.sum(self, state.product, 0, state.notes);
}

void verify(const RunRequest& request, const Vectors& vectors, const PerRank<InnerProductState>& states,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const oracle::Product expected = oracle::inner_product(vectors.a, vectors.b);
  const double tolerance = static_cast<double>(*request.settings.size) * expected.magnitude * 0x1p-52;
  const WordDigest heard_by_first = of_first(request, states);
  const auto judge = [&](Rank rank) -> Verdict {
    const InnerProductState& state = states[rank];
    std::string wrong = what_is_wrong(rank, "the inner product", {&state.product, 1}, {&expected.value, 1}, tolerance);
    if (wrong.empty()) wrong = what_is_wrong(rank, state.notes.heard, heard_by_first);
    const Word product = as_word(state.product);
    return {digest_of({&product, 1}), std::move(wrong)};
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_inner_product(const RunRequest& request) {
  const Split split(*request.settings.size, request.topology.processors());
  const Vectors vectors = generated_vectors(request.settings);
  PerRank<InnerProductState> states(request);
  AnySummation any = make_summation(request);
  Outcome outcome;
  outcome.report = std::visit(
      [&]<Payload T>(std::unique_ptr<Summation<T>>& summation) {
        return run_program<T>(request, [&](Processor<T>& self) {
          return inner_product(self, split, vectors, *summation, states[self.rank()]);
        });
      },
      any);
  for (const InnerProductState& state : states) outcome.arithmetic_seconds += state.notes.seconds;
  verify(request, vectors, states, outcome);
  return outcome;
}

Method entry_inner_product() {
  return with_defaults({
      .name = "application/inner-product",
      .mapping = "inner product",
      .source = "an application (applications.md, Inner product)",
      .summary = "the inner product of two vectors, which all processors need",
      .parameters = {size_of_inner_product, method_of_inner_product},
      .resolve = resolve_inner_product,
      .predict = predict_inner_product,
      .bytes = bytes_inner_product,
      .run = run_inner_product,
  });
}

}  // namespace
}  // namespace application

extern const Method application_inner_product_method =
    application::on_cubes(application::entry_inner_product(), Duplex::full);

extern const Method application_inner_product_ring_method = application::on_rings(application::entry_inner_product());

extern const Method application_inner_product_switch_method =
    application::on_switches(application::entry_inner_product());

}  // namespace lockstep
