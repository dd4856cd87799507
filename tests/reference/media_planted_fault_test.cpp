// Rules of media that are broken in the reference model.
#include <algorithm>

#include "planted_fault.hpp"

namespace lockstep::reference::media_planted_fault_test {
namespace {

struct OneUserMore : Simulation {
  using Simulation::Simulation;
  std::uint64_t users() const override { return Simulation::users() + 1; }
};

struct OneUserLess : Simulation {
  using Simulation::Simulation;
  std::uint64_t users() const override {
    return Simulation::users() == Medium::unlimited ? Medium::unlimited : Simulation::users() - 1;
  }
};

struct TakesMakeRoomAtOnce : Simulation {
  using Simulation::Simulation;
  bool inbox_is_full(Rank rank) const override {
    std::size_t waiting = 0;
    for (const Link& from : links_[rank]) {
      for (const Message& message : from.messages) waiting += message.sent < now_ && !message.taken ? 1U : 0U;
    }
    return waiting >= scenario_.rules.capacity;
  }
};

struct AnInboxForEverySender : Simulation {
  using Simulation::Simulation;
  bool inbox_is_full(Rank rank) const override {
    return std::any_of(links_[rank].begin(), links_[rank].end(), [&](const Link& from) { return is_full(from); });
  }
};

struct OldestMessageFirst : Simulation {
  using Simulation::Simulation;
  Port first_arrival(Rank rank) const override {
    const auto sent = [&](Port from) {
      for (const Message& message : inbound(rank, from).messages) {
        if (!message.taken) return message.sent;
      }
      return now_;
    };
    const std::vector<Port> from = arrivals(rank);
    return *std::min_element(from.begin(), from.end(), [&](Port a, Port b) { return sent(a) < sent(b); });
  }
};

struct TwoMessagesToOneProcessor : Simulation {
  using Simulation::Simulation;
  std::vector<Port> received_on(Rank rank) const override {
    std::vector<Port> from = Simulation::received_on(rank);
    if (from.size() > 1) from.erase(from.begin() + 1, from.end());
    return from;
  }
};

struct HalfDuplexNotJudged : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> both_ways(Rank, const std::vector<Rank>&) const override { return std::nullopt; }
};

struct HalfLinkForBothWaysBetweenTwoOnly : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> both_ways(Rank rank, const std::vector<Rank>& senders) const override {
    const std::vector<Port>& sends = processors_[rank].sends;
    const bool back = std::count(sends.begin(), sends.end(), senders.front()) > 0;
    if (scenario_.rules.duplex == Duplex::half_link && !back) return std::nullopt;
    return Simulation::both_ways(rank, senders);
  }
};

struct NothingIsBlocked : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> blocked(const std::vector<Crossing>&) const override { return std::nullopt; }
};

struct NetworkFromTheOtherSide : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> blocked(const std::vector<Crossing>& crossings) const override {
    std::vector<Crossing> turned;
    for (const Crossing& crossing : crossings) turned.push_back({crossing.to, crossing.from});
    std::optional<Failure> failure = Simulation::blocked(turned);
    if (failure) std::swap(failure->rank, failure->ports[0]);
    return failure;
  }
};

struct ReadsSeeTheWritesOfTheirCycle : Simulation {
  using Simulation::Simulation;
  const Value* content(Port slot) const override { return slots_[slot].empty() ? nullptr : &slots_[slot].back(); }
};

struct WritesReplaceNothing : Simulation {
  using Simulation::Simulation;
  const Value* content(Port slot) const override {
    return Simulation::content(slot) == nullptr ? nullptr : &slots_[slot].front();
  }
};

struct TheLastOfTwoWritersWins : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> written_by_several(Port) const override { return std::nullopt; }
};

struct HighestWriterReported : Simulation {
  using Simulation::Simulation;
  std::optional<Failure> written_by_several(Port slot) const override {
    std::optional<Failure> failure = Simulation::written_by_several(slot);
    if (failure) failure->rank = slots_[slot].back().writer;
    return failure;
  }
};

struct MediumWithoutAClock : Simulation {
  using Simulation::Simulation;
  double medium_clock() const override { return 0; }
};

struct CrossbarWithAClock : Simulation {
  using Simulation::Simulation;
  double medium_clock() const override { return ended_; }
};

struct TransfersOfOneCycleInARow : Simulation {
  using Simulation::Simulation;
  double medium_clock() const override {
    return scenario_.on(Shared::crossbar) ? 0 : outcome_.counts.time_asynchronous;
  }
};

struct InboxesWithoutAClock : Simulation {
  using Simulation::Simulation;
  double start_of_transaction(const Processor& sender, const std::vector<Rank>&, double data) const override {
    return Simulation::start_of_transaction(sender, {}, data);
  }
};

struct TransactionsThatWaitForNoData : Simulation {
  using Simulation::Simulation;
  double start_of_transaction(const Processor& sender, const std::vector<Rank>& receivers, double) const override {
    return Simulation::start_of_transaction(sender, receivers, 0);
  }
};

struct SlotsSentWithoutBeingGathered : Simulation {
  using Simulation::Simulation;
  std::uint64_t startups_of_access(const std::vector<Parcel>& parcels) const override {
    std::uint64_t sum = 0;
    for (const Parcel& parcel : parcels) sum += startups(parcel);
    return sum;
  }
};

template <class Faulty>
class MediaPlantedFault : public testing::Test {};

using Faults = testing::Types<OneUserMore, OneUserLess, TakesMakeRoomAtOnce, AnInboxForEverySender, OldestMessageFirst,
                              TwoMessagesToOneProcessor, HalfDuplexNotJudged, HalfLinkForBothWaysBetweenTwoOnly,
                              NothingIsBlocked, NetworkFromTheOtherSide, ReadsSeeTheWritesOfTheirCycle,
                              WritesReplaceNothing, TheLastOfTwoWritersWins, HighestWriterReported, MediumWithoutAClock,
                              CrossbarWithAClock, TransfersOfOneCycleInARow, InboxesWithoutAClock,
                              TransactionsThatWaitForNoData, SlotsSentWithoutBeingGathered>;
TYPED_TEST_SUITE(MediaPlantedFault, Faults, );

TYPED_TEST(MediaPlantedFault, IsFoundAndMadeSmall) { expect_to_be_found<TypeParam>(draw_medium_scenario); }

}  // namespace
}  // namespace lockstep::reference::media_planted_fault_test
