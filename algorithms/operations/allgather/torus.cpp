#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "method/step_lengths.hpp"
#include "parts/carry_out.hpp"
#include "parts/torus_copies.hpp"

// Allgather on a torus, one dimension after the other and all at once (collectives.md, Allgather).
namespace lockstep {
namespace allgather {
namespace {

using parts::PartSchedule;
using parts::PartStep;
using parts::TorusCopies;

/// As many as all ports have work for, but none for a piece without words.
TorusCopies copies_on(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return {machine, model, *settings.words};
}

/// Every block cut into a piece for each copy.
class BlockPieces {
 public:
  BlockPieces(const TorusCopies& copies, std::uint64_t words, Rank processors)
      : copies_(copies), split_(words, copies.count()), processors_(processors) {}

  /// The piece of that part, at its place in the blocks of all ranks.
  Piece of(Rank part, const Block& blocks) const {
    const Rank owner = copies_.owner(part);
    const Rank copy = part / processors_;
    const std::uint64_t first = split_.first(copy);
    return {owner, owner, first, std::span(blocks.words()).subspan(owner * split_.words() + first, split_.size(copy))};
  }

  /// Writes the pieces of a message to their places; throws std::logic_error if they are not those parts.
  void put(const Bundle& message, const std::vector<Rank>& parts, Block& blocks) const {
    if (message.size() != parts.size()) throw std::logic_error("a message has another number of pieces than is due");
    auto part = parts.begin();
    for (const Piece& piece : message) {
      const Piece due = of(*part++, blocks);
      if (piece.origin != due.origin || piece.first != due.first || piece.block.size() != due.block.size()) {
        throw std::logic_error("a piece of rank " + std::to_string(piece.origin) + " came where one of rank " +
                               std::to_string(due.origin) + " is due");
      }
      std::ranges::copy(piece.block, blocks.data() + due.origin * split_.words() + due.first);
    }
  }

 private:
  const TorusCopies& copies_;
  Split split_;
  Rank processors_;
};

// A step has a message of each copy.
Process collect_on_rings(Processor<Bundle>& self, const PartSchedule& schedule, const BlockPieces& pieces,
                         Block& blocks) {
  const std::uint64_t own = blocks.size() / self.processors();
  return parts::carry_out(
      self, schedule, own,
      [&](const PartStep& step, Cycle) {
        Bundle message;
        for (const Rank part : step.sent) message.add(pieces.of(part, blocks));
        return message;
      },
      [&, held = own](const PartStep& step, Cycle, const Bundle& message) mutable {
        pieces.put(message, step.received, blocks);
        held += message.words();
        self.hold(held);
      });
}

Prediction predict_torus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const TorusCopies copies = copies_on(machine, model, settings);
  const Split split(*settings.words, copies.count());
  const Wide p = machine.processors;
  method::StepLengths lengths(model.cost);
  copies.add_steps([&](std::size_t copy, Rank together) { return Wide{together} * split.size(copy); }, lengths);
  const bool one = copies.count() == 1;
  return {.steps = exact_count(lengths.steps(), one ? "sum (a_i - 1)" : "max (a_i - 1), turn by turn"),
          .messages = exact_count(p * copies.count() * copies.messages_of_a_rank(),
                                  one ? "p sum (a_i - 1)" : "c p sum (a_i - 1), c copies"),
          .words = exact_count(p * (p - 1) * *settings.words, "p (p - 1) b"),
          .longest_sum = exact_count(lengths.sum(), one ? "(p - 1) b"
                                                        : "the longest messages; (p - 1) ceil(b/c) if the sides are "
                                                          "equal"),
          .longest_startups = lengths.startups()};
}

// All blocks everywhere; and the messages that every copy of every processor sends in the last turn, and has sent.
std::uint64_t bytes_of_torus(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const TorusCopies copies = copies_on(machine, model, settings);
  const Wide p = machine.processors;
  const Wide together = copies.most_together();
  const Wide piece = Split(*settings.words, copies.count()).longest();
  const Wide message = sizeof(Bundle) + together * Bundle::bytes(1, saturated(piece));
  return saturated(machine_bytes<Bundle>(machine, model) +
                   p * (sizeof(Block) + p * *settings.words * sizeof(Word) + 2 * copies.count() * message) +
                   verify_bytes(machine, settings));
}

Outcome run_torus(const RunRequest& request) {
  const TorusCopies copies = copies_on(request.machine, request.model, request.settings);
  const std::uint64_t words = *request.settings.words;
  const Rank p = request.topology.processors();
  const BlockPieces pieces(copies, words, p);
  const PartSchedule schedule = copies.gather();
  PerRank<Block> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank] = Block(p * words);
    generate(request, rank, {held[rank].data() + rank * words, words});
  });
  Outcome outcome;
  outcome.report = run_program<Bundle>(
      request, [&](Processor<Bundle>& self) { return collect_on_rings(self, schedule, pieces, held[self.rank()]); });
  verify(
      request, [&](Rank rank, Rank source) { return std::span(held[rank].words()).subspan(source * words, words); },
      outcome);
  return outcome;
}

}  // namespace
}  // namespace allgather

extern const Method allgather_torus_method = allgather::with_defaults({
    .name = "allgather/torus",
    .families = {"torus"},
    .source = "after Cho et al. 2019; Sack & Gropp 2015 (collectives.md, Allgather)",
    .summary = "round the rings of one dimension after the other; with all ports pieces of every block go at once, in "
               "rotated orders and both ways round",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::one, PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .predict = allgather::predict_torus,
    .bytes = allgather::bytes_of_torus,
    .run = allgather::run_torus,
});

}  // namespace lockstep
