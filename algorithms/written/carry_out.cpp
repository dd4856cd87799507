#include "written/carry_out.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/processor.hpp"
#include "plans/turns/port_to.hpp"
#include "written/held_chunks.hpp"
#include "written/own_transfers.hpp"

namespace lockstep::written {
namespace {

using TransferIndex = OwnTransfers::TransferIndex;

/// The transfers of one step over one of the processor's links.
struct LinkTransfers {
  Rank peer;
  std::vector<TransferIndex> indices;
  bool is_served = false;  // its message has been sent with that over another link
};

/// What is the same for all processors that carry out a plan.
struct SharedPlan {
  explicit SharedPlan(const RunRequest& request, const Plan& the_plan)
      : plan(the_plan),
        chunks(the_plan),
        own(the_plan),
        multicast(request.model.multicast &&
                  (the_plan.form == PlanForm::chunks || !sends_on_several_ports(request.model.ports))) {}

  const Plan& plan;
  Chunks chunks;
  OwnTransfers own;
  bool multicast;  // the same message over several links in a step is one send
};

/// The transfers that have the processor at end `here`, by the processor at end `there`.
std::vector<LinkTransfers> crossings(std::span<const TransferIndex> indices, const Plan& plan, Rank rank,
                                     Rank ChunkTransfer::*here, Rank ChunkTransfer::*there) {
  std::vector<LinkTransfers> found;
  for (const TransferIndex index : indices) {
    const ChunkTransfer& transfer = plan.transfers[index];
    if (transfer.*here != rank) continue;
    const Rank peer = transfer.*there;
    auto crossing = found.end();
    if (!found.empty() && found.back().peer == peer) {
      --crossing;
    } else {
      crossing = std::ranges::find(found, peer, &LinkTransfers::peer);
    }
    if (crossing == found.end()) crossing = found.insert(found.end(), {peer, {}, false});
    crossing->indices.push_back(index);
  }
  return found;
}

/// The message of a crossing, with the chunks that are here.
Message<Bundle> message_of(Processor<Bundle>& self, const LinkTransfers& crossing, const SharedPlan& all,
                           HeldChunks& held) {
  Message<Bundle> message;
  for (const TransferIndex index : crossing.indices) {
    const ChunkTransfer& transfer = all.plan.transfers[index];
    auto [block, arrival] = held.take(all.chunks.number(transfer), all.own.whose(index), all.own.leaves(index));
    message.arrival = self.later(message.arrival, arrival);
    const std::uint64_t first = transfer.chunk * block.size();
    message.payload.add(LabelledBlock{
        .origin = transfer.origin, .destination = transfer.destination, .first = first, .block = std::move(block)});
  }
  return message;
}

/// Whether both crossings send the same chunks and sums.
bool have_same_contents(const LinkTransfers& one, const LinkTransfers& other, const SharedPlan& all) {
  return std::ranges::equal(one.indices, other.indices, [&](TransferIndex a, TransferIndex b) {
    const std::vector<ChunkTransfer>& transfers = all.plan.transfers;
    return all.chunks.number(transfers[a]) == all.chunks.number(transfers[b]) && all.own.whose(a) == all.own.whose(b);
  });
}

void send_transfers(Processor<Bundle>& self, std::span<const TransferIndex> now, const SharedPlan& all,
                    HeldChunks& held) {
  std::vector<LinkTransfers> leaving = crossings(now, all.plan, self.rank(), &ChunkTransfer::from, &ChunkTransfer::to);
  for (auto first = leaving.begin(); first != leaving.end(); ++first) {
    if (first->is_served) continue;
    Message<Bundle> message = message_of(self, *first, all, held);
    std::vector<Port> ports{turns::port_to(self, first->peer)};
    for (auto other = std::next(first); all.multicast && other != leaving.end(); ++other) {
      if (other->is_served || !have_same_contents(*first, *other, all)) continue;
      other->is_served = true;
      ports.push_back(turns::port_to(self, other->peer));
      for (const TransferIndex index : other->indices) {
        if (all.own.leaves(index)) held.mark_leaving(all.chunks.number(all.plan.transfers[index]));
      }
    }
    const auto is_own = [&](TransferIndex index) { return all.plan.transfers[index].origin == self.rank(); };
    // Whole blocks that only pass here need not wait for others; chunks, which may be sums, wait for all received ones.
    const bool is_passing = all.plan.form == PlanForm::blocks && std::ranges::none_of(first->indices, is_own);
    if (ports.size() > 1) {
      self.send(ports, message.payload);
    } else if (is_passing) {
      self.forward(ports.front(), std::move(message));
    } else {
      self.send(ports.front(), std::move(message.payload));
    }
  }
  held.leave_marked();
}

void keep_transfers(const Message<Bundle>& message, const std::vector<TransferIndex>& coming, const SharedPlan& all,
                    HeldChunks& held) {
  if (message.payload.size() != coming.size()) {
    throw std::logic_error("a message of more or fewer blocks than planned");
  }
  for (std::uint64_t index = 0; index < coming.size(); ++index) {
    LabelledBlock came = message.payload.block(index);
    const ChunkTransfer& due = all.plan.transfers[coming[index]];
    if (came.origin != due.origin || came.destination != due.destination ||
        came.first != due.chunk * came.block.size()) {
      throw std::logic_error("a message of other blocks than planned");
    }
    held.keep(all.chunks.number(due), std::move(came.block), message.arrival, due.adds != 0,
              all.own.whose(coming[index]));
  }
}

// Each processor carries out its transfers of the plan, and sleeps between them.
Process follow(Processor<Bundle>& self, const SharedPlan& all, HeldChunks& held) {
  self.hold(held.words());
  std::size_t step = 0;
  for (std::span<const TransferIndex> left = all.own.of(self.rank()); !left.empty();) {
    while (all.plan.ends[step] <= left.front()) ++step;
    const auto later = std::ranges::lower_bound(left, all.plan.ends[step]);
    const std::span<const TransferIndex> now(left.begin(), later);
    left = {later, left.end()};
    co_await self.until(step);
    send_transfers(self, now, all, held);
    co_await self.cycle();
    for (const LinkTransfers& crossing :
         crossings(now, all.plan, self.rank(), &ChunkTransfer::to, &ChunkTransfer::from)) {
      keep_transfers(self.receive(turns::port_to(self, crossing.peer)), crossing.indices, all, held);
    }
    self.hold(held.words());
  }
}

/// The blocks, by origin and destination, of a plan whose moves determine them.
std::set<std::pair<Rank, Rank>> moved_blocks(const Plan& plan) {
  std::set<std::pair<Rank, Rank>> moved;
  for (const ChunkTransfer& transfer : plan.transfers) moved.emplace(transfer.origin, transfer.destination);
  return moved;
}

/// Calls visit(labels) for every block, by origin and destination.
template <class Visit>
void for_each_block(const SharedPlan& all, const Visit& visit) {
  if (!all.chunks.are_told_by_moves()) return all.chunks.for_each_block(visit);
  for (const auto& [origin, destination] : moved_blocks(all.plan)) visit(BlockLabels{origin, destination});
}

/// The data of the run: the processors' initial chunks, and the expected result.
class PlanData {
 public:
  PlanData(const RunRequest& request, const SharedPlan& all, std::uint64_t words)
      : seed_(request.settings.seed), all_(all), words_(words) {}

  /// The processor's chunk, or its summand.
  Block given(Rank rank, const BlockLabels& block, std::uint32_t chunk) const {
    return generated_block(seed_, rank, block.destination * all_.plan.chunks + chunk, words_);
  }

  void give(const RunRequest& request, PerRank<HeldChunks>& held) const {
    const Summands apart(all_.plan.sums.empty() ? 0 : all_.plan.nodes);
    const auto give_to = [&](Rank rank, const BlockLabels& block) {
      if (!is_here(request.division, rank)) return;
      Summands whose = apart;
      if (!whose.empty()) whose[rank] = true;
      for (std::uint32_t chunk = 0; chunk < all_.plan.chunks; ++chunk) {
        held[rank].keep(all_.chunks.number(block, chunk), given(rank, block, chunk), 0, false, whose);
      }
    };
    for_each_block(all_, [&](const BlockLabels& block) {
      if (!all_.chunks.are_summed()) return give_to(block.origin, block);
      for (Rank rank = 0; rank < all_.plan.nodes; ++rank) give_to(rank, block);
    });
  }

  /// The expected final chunks of a block.
  Block due(const BlockLabels& block) const {
    if (!all_.chunks.are_summed() && all_.plan.chunks == 1) return given(block.origin, block, 0);
    Block whole(words_ * all_.plan.chunks);
    for (std::uint32_t chunk = 0; chunk < all_.plan.chunks; ++chunk) {
      Word* const to = whole.data() + chunk * words_;
      const Rank first = all_.chunks.are_summed() ? 0 : block.origin;
      const Rank end = all_.chunks.are_summed() ? all_.plan.nodes : block.origin + 1;
      for (Rank rank = first; rank < end; ++rank) {
        const Block summand = given(rank, block, chunk);
        for (std::uint64_t word = 0; word < words_; ++word) to[word] += summand[word];
      }
    }
    return whole;
  }

 private:
  std::uint64_t seed_;
  const SharedPlan& all_;
  std::uint64_t words_;
};

void verify(const RunRequest& request, const SharedPlan& all, const PlanData& data, PerRank<HeldChunks>& held,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const bool is_for_all = all.chunks.are_for_all();
  std::vector<std::vector<BlockLabels>> should_hold(is_for_all ? 1 : all.plan.nodes);
  std::vector<Block> sums(is_for_all && all.chunks.are_summed() ? all.plan.nodes : 0);  // computed once for all ranks
  for_each_block(all, [&](const BlockLabels& block) {
    should_hold[is_for_all ? 0 : block.destination].push_back(block);
    if (!sums.empty()) sums[block.origin] = data.due(block);
  });
  const PieceOracle oracle([&](Rank origin, Rank destination) {
    return sums.empty() ? data.due({origin, destination}) : sums[origin];
  });
  const auto judge = [&](Rank rank) {
    held[rank].add_up();
    return oracle.judge(rank, held[rank].pieces(all.chunks, rank), should_hold[is_for_all ? 0 : rank]);
  };
  verify_ranks(request, start, judge, outcome);
}

}  // namespace

Outcome carry_out(const RunRequest& request, const Plan& plan, std::uint64_t words) {
  const SharedPlan all(request, plan);
  const PlanData data(request, all, words);
  PerRank<HeldChunks> held(request);
  data.give(request, held);
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return follow(self, all, held[self.rank()]); });
  verify(request, all, data, held, outcome);
  return outcome;
}

Wide bytes_to_carry_out(const MachineSpec& machine, const Model& model, const Chunks& chunks, std::uint64_t words,
                        Wide transfers) {
  const Wide numbers = chunks.numbers();
  const bool at_all = chunks.are_for_all() || chunks.are_summed();
  Wide held = at_all ? Wide{machine.processors} * numbers : numbers;
  if (chunks.are_told_by_moves()) held = std::min(transfers, numbers);
  if (chunks.are_copied() && !at_all) held += transfers;
  constexpr std::uint64_t entry = 64;  // of a tree or a hash table
  const Wide places = chunks.are_summed()                                 ? held * (2 * entry + machine.processors / 8)
                      : chunks.are_for_all()                              ? held / 8
                      : chunks.are_told_by_moves() || chunks.are_copied() ? entry * transfers
                                                                          : numbers * sizeof(Rank);
  const Wide of_words = (chunks.are_summed() ? held : numbers) * allocated_bytes(words);  // copies share memory
  return machine_bytes<Bundle>(machine, model) + held * HeldChunks::bytes_of_one + of_words + places +
         transfers * (sizeof(ChunkTransfer) + 2 * sizeof(TransferIndex));
}

}  // namespace lockstep::written

namespace lockstep {

Outcome carry_out(const RunRequest& request, const ChunkSchedule& schedule) {
  return written::carry_out(request, written::plan_of(schedule), *request.settings.words);
}

}  // namespace lockstep
