// Rules of channels, ports and clocks that are broken in the reference model.
#include "planted_fault.hpp"

#include <algorithm>

namespace lockstep::reference::planted_fault_test {
namespace {

struct RoomForOneMore : Simulation {
  using Simulation::Simulation;
  bool is_full(const Link& link) const override {
    return Simulation::is_full(link) && link.messages.size() > scenario_.rules.capacity;
  }
};

struct TakesFreeTheirPlacesAtOnce : Simulation {
  using Simulation::Simulation;
  bool is_full(const Link& link) const override {
    const auto waits = [](const Message& message) { return !message.taken; };
    return static_cast<std::size_t>(std::count_if(link.messages.begin(), link.messages.end(), waits)) >=
           scenario_.rules.capacity;
  }
};

struct ReceivesChargedWhenTaken : Simulation {
  using Simulation::Simulation;
  std::vector<Port> received_on(Rank rank) const override {
    std::vector<Port> from;
    for (Port port = 0; port < ports(); ++port) {
      const auto& messages = inbound(rank, port).messages;
      const auto taken = [](const Message& message) { return message.taken; };
      if (std::any_of(messages.begin(), messages.end(), taken)) from.push_back(port);
    }
    return from;
  }
};

struct OneReceiptMoreThanTheLimit : Simulation {
  using Simulation::Simulation;
  std::size_t most_receives() const override { return Simulation::most_receives() + (is_limited() ? 1 : 0); }
};

struct OneSendMoreThanTheLimit : Simulation {
  using Simulation::Simulation;
  std::size_t most_sends() const override { return Simulation::most_sends() + 1; }
};

struct LimitedPortsWithoutClocks : Simulation {
  using Simulation::Simulation;
  double start(const Processor& sender, const Link& link, const Processor& receiver, double data) const override {
    return is_limited() ? std::max(data, link.clock) : Simulation::start(sender, link, receiver, data);
  }
};

struct SeenInTheCycleOfSending : Simulation {
  using Simulation::Simulation;
  bool has_arrived(const Message& message) const override { return !message.taken; }
};

struct ReceiversWithoutAClock : Simulation {
  using Simulation::Simulation;
  double start(const Processor& sender, const Link& link, const Processor& receiver, double data) const override {
    return sends_one() ? std::max(data, sender.send_clock) : Simulation::start(sender, link, receiver, data);
  }
};

struct SendersWithOneClockForAllPorts : Simulation {
  using Simulation::Simulation;
  double start(const Processor& sender, const Link& link, const Processor& receiver, double data) const override {
    return std::max(Simulation::start(sender, link, receiver, data), sender.send_clock);
  }
};

struct ForwardsThatWaitForAllThatWasTaken : Simulation {
  using Simulation::Simulation;
  double time_of_forward(const Processor& processor, const Taken&) const override { return processor.ready; }
};

struct CopiesThatTakeNoTime : Simulation {
  using Simulation::Simulation;
  double end_of_copy(const Processor& processor, std::uint64_t) const override { return processor.ready; }
};

struct ArithmeticThatTakesNoTime : Simulation {
  using Simulation::Simulation;
  double end_of_arithmetic(const Processor& processor, std::uint64_t) const override { return processor.ready; }
};

struct BlocksGatheredIntoOne : Simulation {
  using Simulation::Simulation;
  std::uint64_t startups(const Parcel& parcel) const override {
    return Simulation::startups({{}, {parcel.content.size()}});
  }
};

struct HighestRankFirst : Simulation {
  using Simulation::Simulation;
  const Failure& first(const std::vector<Failure>& failures) const override {
    return *std::max_element(failures.begin(), failures.end(),
                             [](const Failure& a, const Failure& b) { return a.rank < b.rank; });
  }
};

struct KindBeforeRank : Simulation {
  using Simulation::Simulation;
  const Failure& first(const std::vector<Failure>& failures) const override {
    return *std::min_element(failures.begin(), failures.end(), [](const Failure& a, const Failure& b) {
      return std::pair(a.kind, a.rank) < std::pair(b.kind, b.rank);
    });
  }
};

struct MessagesWakeSleepers : Simulation {
  using Simulation::Simulation;
  void look_at(Processor& processor) override {
    if (processor.waiting == Waiting::cycle) processor.wake = now_;
    Simulation::look_at(processor);
  }
};

template <class Faulty>
class PlantedFault : public testing::Test {};

using Faults = testing::Types<RoomForOneMore, TakesFreeTheirPlacesAtOnce, ReceivesChargedWhenTaken,
                              OneReceiptMoreThanTheLimit, OneSendMoreThanTheLimit, LimitedPortsWithoutClocks,
                              SeenInTheCycleOfSending, ReceiversWithoutAClock, SendersWithOneClockForAllPorts,
                              ForwardsThatWaitForAllThatWasTaken, CopiesThatTakeNoTime, ArithmeticThatTakesNoTime,
                              BlocksGatheredIntoOne, HighestRankFirst, KindBeforeRank, MessagesWakeSleepers>;
TYPED_TEST_SUITE(PlantedFault, Faults, );

TYPED_TEST(PlantedFault, IsFoundAndMadeSmall) { expect_to_be_found<TypeParam>(draw_scenario); }

}  // namespace
}  // namespace lockstep::reference::planted_fault_test
