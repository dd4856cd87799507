#include <algorithm>
#include <map>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/topologies.hpp"
#include "scanning.hpp"

// Some of the records of all processors are marked; those move to the front, in their order. From a scan every
// processor learns how many marked records precede its own; then they move to their places (applications.md, Packing).
namespace lockstep {
namespace application {
namespace {

constexpr NumberParameter size_of_packing{
    {"size", "records, marked or not", "one a processor, at least 8 and at most 256"}, &Settings::size};

/// A record and where it goes.
struct PackingRecord {
  std::uint64_t place;
  Word word;
};
constexpr std::uint64_t record_words = 2;

/// Records before the packing, and where records are afterwards: each processor has as many as before, or one more.
class PackingRecords {
 public:
  PackingRecords(const Settings& settings, std::uint64_t processors)
      : seed_(settings.seed), before_(*settings.size, processors), room_(before_.longest()) {}

  std::uint64_t first(Rank rank) const { return before_.first(rank); }
  std::uint64_t end(Rank rank) const { return before_.first(std::uint64_t{rank} + 1); }
  std::uint64_t most() const { return room_; }
  Word word(std::uint64_t index) const { return generated_word(seed_, 0, 0, index); }
  bool is_marked(std::uint64_t index) const { return generated_word(seed_, 1, 0, index) % 2 == 0; }
  /// Throws std::logic_error if there is no such place.
  Rank rank_of(std::uint64_t place) const {
    if (place >= before_.words()) throw std::logic_error("received a record for no place");
    return static_cast<Rank>(place / room_);
  }
  std::uint64_t count() const { return before_.words(); }

 private:
  std::uint64_t seed_;
  Split before_;
  std::uint64_t room_;
};

/// The paths to all places, in turns that all processors take together: in each, a processor sends over one port all
/// records whose path uses it. The E-cube paths of mukherjee.md, Routing.
class PackingTurns {
 public:
  explicit PackingTurns(const MachineSpec& machine) {
    if (is_hypercube(machine)) {
      for (Port dimension = 0; dimension < machine.ports; ++dimension) turns_.push_back({dimension, {}});
      return;
    }
    rh_.emplace(machine);
    const Port inside = rh_->layer_dimensions();  // the first dimension between subblocks
    for (Port m = 0; m < rh_->block_dimensions(); ++m) {
      for (Port b = inside; b < rh_->k(); ++b) turns_.push_back({b, m});
      turns_.push_back({rh_->outer_port(), m});
    }
    for (Port dimension = 0; dimension < rh_->k(); ++dimension) turns_.push_back({dimension, {}});
  }

  std::size_t count() const { return turns_.size(); }
  Port port(std::size_t turn) const { return turns_[turn].port; }
  /// Whether a record at `at` for `to` leaves in that turn.
  bool leaves(std::size_t turn, Rank at, Rank to) const {
    const auto& [port, m] = turns_[turn];
    if (!m) return has_bit(at ^ to, port);
    if (!has_bit(rh_->bb(at) ^ rh_->bb(to), *m)) return false;
    const Port inside = rh_->layer_dimensions();
    return port == rh_->outer_port() || has_bit(rh_->sb(at) ^ *m, port - inside);
  }

 private:
  struct PortTurn {
    Port port;
    std::optional<Port> block_dimension;  ///< to be crossed next; none inside the last block
  };
  std::vector<PortTurn> turns_;
  std::optional<ReducedHypercube> rh_;
};

/// A message with these records.
Partial letter(Rank from, std::span<const PackingRecord> records) {
  std::vector<Word> words;
  for (const auto& [place, word] : records) words.insert(words.end(), {place, word});
  return {from, 1, Block(words)};
}
void take(const Block& block, std::vector<PackingRecord>& records) {
  if (block.size() == 0 || block.size() % record_words != 0) throw std::logic_error("a block is no records");
  for (std::uint64_t index = 0; index < block.size(); index += record_words) {
    records.push_back({block[index], block[index + 1]});
  }
}

void add(Block& lower, const Block& higher) {
  if (lower.size() != 1 || higher.size() != 1) throw std::logic_error("a block is no count");
  lower[0] += higher[0];
}
Block as_block(std::uint64_t count) { return Block(std::span(&count, 1)); }

/// Adds the moves to the places turn by turn; the marks determine them.
void add_moves(PredictedParts& parts, const MachineSpec& machine, const PackingRecords& records) {
  const PackingTurns turns(machine);
  const Wiring next = wiring(machine);
  std::vector<std::pair<Rank, Rank>> ways;  // where marked records are, and where they go
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    for (std::uint64_t index = records.first(rank); index < records.end(rank); ++index) {
      if (records.is_marked(index)) ways.emplace_back(rank, records.rank_of(ways.size()));
    }
  }
  for (std::size_t turn = 0; turn < turns.count(); ++turn) {
    std::map<Rank, std::uint64_t> lengths;
    std::uint64_t longest = 0;
    std::uint64_t words = 0;
    for (auto& [at, to] : ways) {
      if (!turns.leaves(turn, at, to)) continue;
      longest = std::max(longest, lengths[at] += record_words);
      words += record_words;
      at = next(at, turns.port(turn)).rank;
    }
    if (!lengths.empty()) parts.add_steps(1, longest, lengths.size(), words);
  }
}

Prediction predict_packing(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const PackingRecords records(settings, machine.processors);
  PredictedParts parts(machine, model);
  add_scan(parts, machine, settings, 1);
  add_moves(parts, machine, records);
  parts.compute(records.most(), records.count());
  return parts.prediction("one " + *settings.method + " of counts, and of the ways of the marked records");
}

// A record is with its processor and with the oracle.
std::uint64_t bytes_packing(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 600;  // of the program and its sub-programs, beyond those of a small one
  return saturated(Wide{scan_bytes(machine, model, settings, 1)} + 2 * Wide{*settings.size} * sizeof(PackingRecord) +
                   machine.processors * Wide{sizeof(std::vector<PackingRecord>) + frames});
}

/// The data of one processor.
struct PackingState {
  std::vector<PackingRecord> records;
  Scanning::Result scanned;
  double seconds = 0;
};

void send_leaving(Processor<Partial>& self, const PackingRecords& records, const PackingTurns& turns, std::size_t turn,
                  std::vector<PackingRecord>& held) {
  const auto leaving = std::stable_partition(held.begin(), held.end(), [&](const PackingRecord& record) {
    return !turns.leaves(turn, self.rank(), records.rank_of(record.place));
  });
  if (leaving == held.end()) return;
  self.send(turns.port(turn), letter(self.rank(), {leaving, held.end()}));
  held.erase(leaving, held.end());
}

Process packing(Processor<Partial>& self, const PackingRecords& records, const PackingTurns& turns,
                const Scanning& scanning, PackingState& state) {
  {
    const std::uint64_t end = records.end(self.rank());
    const Arithmetic arithmetic(self, end - records.first(self.rank()), state.seconds);
    for (std::uint64_t index = records.first(self.rank()); index < end; ++index) {
      if (records.is_marked(index)) state.records.push_back({0, records.word(index)});
    }
  }
  const Block own = as_block(state.records.size());
  co_await scan_lower_ranks(self, scanning, own, state.scanned);
  std::uint64_t place = state.scanned.before[0];
  for (PackingRecord& record : state.records) record.place = place++;
  for (std::size_t turn = 0; turn < turns.count(); ++turn) {
    send_leaving(self, records, turns, turn, state.records);
    co_await self.cycle();
    if (!self.arrived(turns.port(turn))) continue;
    const Message<Partial> message = self.receive(turns.port(turn));
    // Records find their way even from another sender; this alone shows a message from the wrong place.
    if (message.payload.first != self.neighbour(turns.port(turn))) throw std::logic_error("another sender's message");
    take(message.payload.value, state.records);
    self.hold(record_words * state.records.size());
  }
  std::ranges::sort(state.records, {}, &PackingRecord::place);
}

void verify(const RunRequest& request, const PackingRecords& records, const Scanning& scanning,
            const PerRank<PackingState>& states, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> packed;
  for (std::uint64_t index = 0; index < records.count(); ++index) {
    if (records.is_marked(index)) packed.push_back(records.word(index));
  }
  const Scanning::Totals totals = scanning.totals(request.topology.processors(), [&](Rank first, Rank count) {
    std::uint64_t marked = 0;
    for (std::uint64_t index = records.first(first); index < records.end(first + count - 1); ++index) {
      marked += records.is_marked(index) ? 1 : 0;
    }
    return as_block(marked);
  });
  const auto judge = [&](Rank rank) -> Verdict {
    const std::uint64_t first = std::min<std::uint64_t>(rank * records.most(), packed.size());
    const std::uint64_t end = std::min<std::uint64_t>(first + records.most(), packed.size());
    std::vector<Word> held;
    for (const PackingRecord& record : states[rank].records) held.push_back(record.word);
    const auto right = std::span(packed).subspan(first, end - first);
    if (!std::ranges::equal(held, right)) {
      return {0, "rank " + std::to_string(rank) + " has " + std::to_string(held.size()) + " records, the first " +
                     std::to_string(right_words(held, right)) + " right, instead of " + std::to_string(right.size())};
    }
    return {digest_of(held), scanning.what_is_wrong(rank, states[rank].scanned, totals)};
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run_packing(const RunRequest& request) {
  const PackingRecords records(request.settings, request.topology.processors());
  const PackingTurns turns(request.machine);
  const Scanning scanning(request, {as_block(0), add});
  PerRank<PackingState> states(request);
  Outcome outcome;
  outcome.report = run_program<Partial>(
      request, [&](Processor<Partial>& self) { return packing(self, records, turns, scanning, states[self.rank()]); });
  for (const PackingState& state : states) outcome.arithmetic_seconds += state.seconds;
  verify(request, records, scanning, states, outcome);
  return outcome;
}

}  // namespace
}  // namespace application

extern const Method application_packing_method = application::on_scans<application::size_of_packing>({
    .name = "application/packing",
    .mapping = "marked records packed",
    .source = "an application (applications.md, Packing); Mukherjee, chapter 4, names it",
    .summary = "marked records go to the front in their order, to places that a scan of counts tells",
    .predict = application::predict_packing,
    .bytes = application::bytes_packing,
    .run = application::run_packing,
});

}  // namespace lockstep
