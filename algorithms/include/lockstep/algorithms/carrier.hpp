#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/core/run_options.hpp"
#include "lockstep/machines/embedding.hpp"

namespace lockstep {

// A method of one machine (the guest) on another (the host): the method runs unchanged, under its own machine's rules,
// and all messages of its processors in a cycle are carried over the host, hop by hop, before its next cycle begins
// (semantics.md, One machine on another).
//
//      guest, a cycle              host, several steps
//
//      x --- payload ---> y        place(x) ---> relay ---> relay ---> place(y)

/// Rules and costs as a guest's method sees them: neighbours have one link between them, whatever its path on the host.
Model known_to_guest(Model model);

/// The content of a guest's message, of any type.
struct Cargo {
  virtual ~Cargo() = default;

  std::uint64_t words = 0;            ///< its length
  std::vector<std::uint64_t> blocks;  ///< lengths of the blocks for which start-ups are paid
  std::string_view phase;             ///< in which it was sent

  /// Adds a move over the link for every block: see MovingMessages.
  virtual bool list_blocks(const Move& link, MoveLog& log, std::vector<Move>& moves) const = 0;
  /// Adds its words: see WordMessages.
  virtual bool list_words(std::vector<Word>& list) const = 0;
};

/// Cargo with a payload of its own type.
template <Payload T>
struct CargoOf final : Cargo {
  /// Cargo with that content.
  explicit CargoOf(T content) : payload(std::move(content)) {}

  bool list_blocks(const Move& link, MoveLog& log, std::vector<Move>& moves) const override {
    return append_moves(payload, link, log, moves);
  }
  bool list_words(std::vector<Word>& list) const override { return append_words(payload, list); }

  T payload;  ///< the content
};

/// A message of the guest in one cycle.
struct Consignment {
  Rank from = no_rank;           ///< the guest's rank
  Port port = 0;                 ///< the guest's port that it was sent on
  Rank to = no_rank;             ///< the guest's rank
  std::unique_ptr<Cargo> cargo;  ///< moved out, and in again on arrival
};

/// The counts of carrying.
struct CarriedCounts {
  std::uint64_t guest_steps = 0;     ///< cycles of the guest in which messages moved
  std::uint64_t guest_messages = 0;  ///< sent in them; the host's messages are the links that they crossed
  std::uint64_t guest_words = 0;     ///< of these messages
  std::uint64_t congestion = 0;  ///< the most messages over one link of the host, in one direction, in a guest's step
  std::uint64_t dilation = 0;    ///< links of the longest path that a message took
  /// The first of the guest's steps whose length does not fit the theory, in words; empty if there was none.
  std::string problem;
};

/// Carries the messages of a guest over its host, on the paths of an embedding. Conflicts are settled by the arbiter of
/// routing.hpp. The host's counts replace those of the guest.
///
/// Not thread-safe: it belongs to one run at a time.
class Carrier {
 public:
  /// All must outlive the carrier. The guest must be a machine; unless it is a subgraph of the host, the rules must be
  /// ones that refuse_rules() allows. `observer`, if not null, sees the messages over the host's links, one run of
  /// cycles and times, with blocks named by ranks of the host; it must not change them.
  Carrier(const Embedding& embedding, const Model& model, Executor& executor, const RunOptions& options,
          std::optional<ChannelKind> channels = {}, RunObserver* observer = nullptr);
  ~Carrier();
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Rules and costs under which the guest runs: its local work has its cost, its messages cost nothing.
  Model guest_model() const;
  /// The options of the guest's run; progress is that of the host.
  RunOptions guest_options() const;

  /// Begins a run of the guest. A method may run several programs, one after the other.
  void begin_run();
  /// Adds the guest's local work in a cycle to the times that the observer sees.
  void work(std::span<const Charge> charges);
  /// Carries what the guest sent in that cycle. Throws what Machine::run throws.
  void carry(Cycle cycle, std::vector<Consignment>& consignments);
  /// The report of the run on the host; `guest` is the guest's own.
  Report end_run(Report guest) const;

  /// The counts of all runs so far.
  const CarriedCounts& counts() const;

  /// Throws InputError if messages cannot be carried under these rules.
  static void refuse_rules(const Embedding& embedding, const Model& model);
  /// Bytes that the host and its plans take, without the guest.
  static std::uint64_t bytes(const Embedding& embedding, const Model& model);

 private:
  struct Host;
  std::unique_ptr<Host> host_;
};

/// Hands a guest's messages to its carrier.
template <Payload T>
class CarryingObserver : public Observer<T> {
 public:
  /// Shows messages to `before` first, if there is one; both must outlive it.
  CarryingObserver(Carrier& carrier, Observer<T>* before) : carrier_(carrier), before_(before) {}

  void barrier(Cycle cycle, std::vector<Transfer<T>>& transfers) override {
    if (before_ != nullptr) before_->barrier(cycle, transfers);
    std::vector<Consignment> consignments;
    consignments.reserve(transfers.size());
    for (Transfer<T>& transfer : transfers) consignments.push_back(consigned(transfer));
    carrier_.carry(cycle, consignments);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      transfers[i].payload = std::move(static_cast<CargoOf<T>&>(*consignments[i].cargo).payload);
    }
  }

  void charged(Cycle cycle, std::span<const Charge> charges) override {
    if (before_ != nullptr) before_->charged(cycle, charges);
    carrier_.work(charges);
  }

 private:
  static Consignment consigned(Transfer<T>& transfer) {
    auto cargo = std::make_unique<CargoOf<T>>(std::move(transfer.payload));
    cargo->words = words(cargo->payload);
    if constexpr (requires {
                    { blocks(cargo->payload) } -> std::ranges::range;
                  }) {
      for (const std::uint64_t block : blocks(cargo->payload)) cargo->blocks.push_back(block);
    } else {
      cargo->blocks = {cargo->words};
    }
    cargo->phase = transfer.phase;
    return {transfer.from, transfer.port, transfer.to.rank, std::move(cargo)};
  }

  Carrier& carrier_;
  Observer<T>* before_;
};

}  // namespace lockstep
