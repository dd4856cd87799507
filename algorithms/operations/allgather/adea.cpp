#include "adea.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "group_exchange.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace allgather {

HeldParts::HeldParts(const RunRequest& request) : HeldParts(request, *request.settings.words) {
  for_all_ranks(request, [&](Rank rank) { generate(request, rank, own(rank)); });
}

HeldParts::HeldParts(const RunRequest& request, std::uint64_t words)
    : dimensions_(request.topology.ports()), words_(words), parts_(request) {
  for_all_ranks(request, [&](Rank rank) {
    parts_[rank].resize(std::size_t{dimensions_} + 1);
    part(rank, 0) = Block(words_);
    for (Port i = 1; i <= dimensions_; ++i) part(rank, i) = Block(words_ << (i - 1));
  });
}

LabelledBlock HeldParts::copy_all(Rank rank, Port i) {
  Block message = std::move(part(rank, i));
  Word* to = message.data();
  for (Port held = 0; held < i; ++held) {
    const std::span<const Word> block = std::as_const(part(rank, held)).words();
    to = std::copy(block.begin(), block.end(), to);
  }
  const Port above = dimensions_ - i + 1;  // the dimensions that have been crossed
  return {.origin = rank, .destination = rank, .block = std::move(message), .number = above};
}

void HeldParts::keep(Rank rank, Port i, LabelledBlock received) {
  if (received.block.size() != words_ << (i - 1)) {
    throw std::logic_error("a message of " + std::to_string(received.block.size()) + " words came where " +
                           std::to_string(words_ << (i - 1)) + " are due");
  }
  part(rank, i) = std::move(received.block);
}

// A block has crossed the dimensions in which rank and source differ, the highest first, and was received over the
// lowest. In the message over dimension n-i it lay where its sender held it, behind all the blocks that the sender had
// before exchange i: so its place among all k is that of the differing bits read backwards.
std::span<const Word> HeldParts::block(Rank rank, Rank source) const {
  const Rank place = reversed(rank ^ source, dimensions_);
  const std::span<const Word> blocks = parts_[rank][width(place)].words();
  if (blocks.empty()) return {};  // not received
  return blocks.subspan((place - std::bit_floor(place)) * words_, words_);
}

std::uint64_t HeldParts::bytes(std::uint64_t processors, std::uint64_t words) {
  const auto parts = static_cast<std::uint64_t>(std::bit_width(processors));  // n + 1
  const Wide sum =
      Wide{processors} * processors * words * sizeof(Word) + processors * parts * (sizeof(Block) + allocated_bytes(2));
  return saturated(sum);
}

Process adea(Processor<LabelledBlock>& self, ExchangeForm form, HeldParts& held) {
  const Port n = self.ports();
  self.hold(held.block_words());
  for (Port i = 1; i <= n; ++i) {
    const Port dimension = n - i;
    LabelledBlock blocks = held.copy_all(self.rank(), i);  // before anything arrives, which must not be sent back
    if (form == ExchangeForm::full) {
      blocks = co_await self.exchange(dimension, std::move(blocks));
    } else if (has_bit(self.rank(), dimension)) {
      self.send(dimension, std::move(blocks));
      blocks = co_await self.message(dimension);
    } else {
      LabelledBlock received = co_await self.message(dimension);
      self.send(dimension, std::move(blocks));
      blocks = std::move(received);
      co_await self.cycle();
    }
    held.keep(self.rank(), i, std::move(blocks));
    self.hold(held.block_words() << i);
  }
}

namespace {

void resolve_with_group(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::group_of(machine, settings);
  resolve(machine, model, settings);
}

Prediction predict_adea(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (const auto group = method::group_of(machine, settings))
    return predict_for_group(machine, model, settings, *group);
  const bool full = exchange_form_for(model) == ExchangeForm::full;
  const std::uint64_t f = full ? 1 : 2;
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = machine.processors;
  const std::uint64_t m = *settings.words;
  method::StepLengths lengths(model.cost);
  for (std::uint64_t held = 1; held < k; held *= 2) lengths.add(f, held * m);
  return {.steps = exact_count(lengths.steps(), full ? "n" : "2 n"),
          .messages = Count{n * k, true, "n 2^n"},
          .words = exact_count(Wide{k} * (k - 1) * m, "2^n (2^n - 1) m"),
          .longest_sum = exact_count(lengths.sum(), full ? "(2^n - 1) m" : "2 (2^n - 1) m"),
          .longest_startups = lengths.startups()};
}

std::uint64_t bytes_adea(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (const auto group = method::group_of(machine, settings)) return bytes_for_group(machine, model, settings, *group);
  const Wide sum = Wide{machine_bytes<LabelledBlock>(machine, model)} +
                   HeldParts::bytes(machine.processors, *settings.words) + verify_bytes(machine, settings);
  return saturated(sum);
}

Outcome run_adea(const RunRequest& request) {
  if (const auto group = method::group_of(request.machine, request.settings)) return run_for_group(request, *group);
  HeldParts held(request);
  const ExchangeForm form = exchange_form_for(request.model);
  Outcome outcome;
  outcome.report =
      run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) { return adea(self, form, held); });
  verify(
      request, [&](Rank rank, Rank source) { return held.block(rank, source); }, outcome);
  return outcome;
}

}  // namespace
}  // namespace allgather

extern const Method allgather_adea_method = allgather::with_defaults({
    .name = "allgather/adea",
    .aliases = {"ADEA", "allgather/recursive-doubling"},
    .families = {"hypercube"},
    .source = "Saad & Schultz 1985, section 4.2 (saad-schultz-1985.md, ADEA)",
    .summary =
        "dimension by dimension, neighbours give each other all that they hold; in two steps each unless duplex is "
        "full",
    .parameters = {allgather::words_parameter, method::group_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = allgather::resolve_with_group,
    .predict = allgather::predict_adea,
    .bytes = allgather::bytes_adea,
    .run = allgather::run_adea,
});

}  // namespace lockstep
