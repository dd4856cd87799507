#include "packet_moves.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

namespace lockstep::packets {
namespace {

/// Packets of the processor's own block on one path.
struct OwnStream {
  PacketStream stream;
  std::uint64_t left = 0;  ///< packets that have left
  Cycle next = 0;          ///< of the next one's departure; `never` for none

  static constexpr Cycle never = ~Cycle{0};

  void find_next() {
    next = left < stream.packets.packets() ? stream.injection.start(left) + stream.path.front().cycle : never;
  }
};

/// A stream that arrives over a port. Its packets follow each other there, so that their path is computed for the first
/// of them only.
struct Passing {
  Rank origin = no_rank;
  std::uint32_t number = 0;
  Cycle come = 0;        ///< the cycle of the arriving hop, from their start on
  bool is_last = false;  ///< whether that hop is the last
  PacketHop next{};      ///< the next hop, unless that is the last
  PacketCut packets{};
  std::uint64_t first_word = 0;
  Injection injection{};

  bool is_of(const LabelledBlock& packet) const { return origin == packet.origin && number == packet.stream; }
};

/// A packet to forward in that cycle.
struct WaitingPacket {
  Cycle cycle;
  Port dimension;
  Message<LabelledBlock> message;
};

/// The hop by which a packet has reached the rank over the port, `elapsed` cycles after its start; null if it takes
/// another path.
const PacketHop* hop_to(Rank rank, Port port, const PacketPath& path, Rank origin, Cycle elapsed) {
  Rank place = origin;
  for (const PacketHop& hop : path) {
    place ^= Rank{1} << hop.dimension;
    if (hop.cycle == elapsed) return place == rank && hop.dimension == port ? &hop : nullptr;
  }
  return nullptr;
}

/// The packets of one processor.
class PacketTraffic {
 public:
  PacketTraffic(Processor<LabelledBlock>& self, const PacketSchedule& schedule, std::uint64_t arrivals,
                LabelledBlock& held)
      : self_(self),
        schedule_(schedule),
        begin_(self.now()),
        to_come_(arrivals),
        own_destination_(held.destination),
        held_(held),
        passing_(self.ports()) {
    for (std::uint32_t number = 0; number < schedule.streams(self.rank()); ++number) {
      OwnStream& own = own_.emplace_back(OwnStream{schedule.stream(self.rank(), number)});
      if (own.stream.path.empty()) own.stream.packets = {};
      own.find_next();
      to_leave_ += own.stream.packets.packets();
    }
    hold(held.block.size());
  }

  bool has_to_send() const { return to_leave_ > 0 || !waiting_.empty(); }
  bool has_ended() const { return to_come_ == 0 && !has_to_send(); }

  void take(Message<LabelledBlock> message) {
    const LabelledBlock& packet = message.payload;
    Passing& passing = passing_[message.port];
    if (!passing.is_of(packet) || passing.come != now() - 1 - passing.injection.start(packet.number)) {
      passing = find_passing(packet, message.port);
    }
    if (packet.block.size() != passing.packets.size(packet.number)) throw std::logic_error("a packet of wrong length");
    --to_come_;
    hold(words_ + packet.block.size());
    if (passing.is_last) {
      store(packet, passing);
    } else {
      const Cycle start = passing.injection.start(packet.number);
      ++message.payload.hops_made;
      waiting_.push_back({start + passing.next.cycle, passing.next.dimension, std::move(message)});
    }
  }

  void send() {
    for (std::uint32_t number = 0; number < own_.size(); ++number) {
      if (own_[number].next == now()) send_own(number);
    }
    const auto due = std::partition(waiting_.begin(), waiting_.end(),
                                    [&](const WaitingPacket& waiting) { return waiting.cycle != now(); });
    for (auto leaving = due; leaving != waiting_.end(); ++leaving) {
      forward(leaving->dimension, std::move(leaving->message));
    }
    waiting_.erase(due, waiting_.end());
  }

 private:
  Cycle now() const { return self_.now() - begin_; }

  Passing find_passing(const LabelledBlock& packet, Port port) const {
    const PacketStream stream = schedule_.stream(packet.origin, packet.stream);
    const Cycle elapsed = now() - 1 - stream.injection.start(packet.number);
    const PacketHop* const hop = hop_to(self_.rank(), port, stream.path, packet.origin, elapsed);
    if (hop == nullptr) throw std::logic_error("an unexpected packet");
    const bool is_last = hop == &stream.path.back();
    return {.origin = packet.origin,
            .number = packet.stream,
            .come = elapsed,
            .is_last = is_last,
            .next = is_last ? PacketHop{} : *(hop + 1),
            .packets = stream.packets,
            .first_word = stream.first_word,
            .injection = stream.injection};
  }

  // Own data is there from the beginning, regardless of what has passed through here since.
  void send_own(std::uint32_t number) {
    OwnStream& own = own_[number];
    const std::uint64_t first = first_word(own.stream, own.left);
    const std::span<const Word> block = held_.block.words();
    LabelledBlock packet{.origin = self_.rank(),
                         .destination = own_destination_,
                         .first = first,
                         .block = Block(block.subspan(first, own.stream.packets.size(own.left))),
                         .number = static_cast<std::uint32_t>(own.left),
                         .stream = number};
    ++own.left;
    own.find_next();
    --to_leave_;
    forward(own.stream.path.front().dimension, {.payload = std::move(packet), .port = 0, .arrival = 0});
  }

  void forward(Port dimension, Message<LabelledBlock> message) {
    words_ -= message.payload.block.size();
    self_.forward(dimension, std::move(message));
  }

  // Replaces the own packet of the same number, which must have left.
  void store(const LabelledBlock& packet, const Passing& passing) {
    const bool is_first = held_.destination != self_.rank();
    if (packet.destination != self_.rank() || !(is_first || packet.origin == held_.origin)) {
      throw std::logic_error("a packet for another processor");
    }
    if (packet.stream >= own_.size() || packet.number >= own_[packet.stream].left ||
        own_[packet.stream].stream.packets != passing.packets ||
        own_[packet.stream].stream.first_word != passing.first_word) {
      throw std::logic_error("a packet whose place is still occupied");
    }
    held_.origin = packet.origin;
    held_.destination = self_.rank();
    const PacketStream& own = own_[packet.stream].stream;
    std::ranges::copy(packet.block.words(), held_.block.data() + first_word(own, packet.number));
  }

  static std::uint64_t first_word(const PacketStream& stream, std::uint64_t packet) {
    return stream.first_word + stream.packets.first(packet);
  }

  void hold(std::uint64_t words) {
    words_ = words;
    self_.hold(words);
  }

  Processor<LabelledBlock>& self_;
  const PacketSchedule& schedule_;
  Cycle begin_;
  std::uint64_t to_come_;
  std::uint64_t to_leave_ = 0;
  std::uint64_t words_ = 0;  ///< words here, those of passing packets included
  Rank own_destination_;
  LabelledBlock& held_;
  std::vector<OwnStream> own_;
  std::vector<WaitingPacket> waiting_;
  std::vector<Passing> passing_;  ///< by port
};

}  // namespace

PacketPath without_waits(const std::vector<Port>& dimensions) {
  PacketPath path;
  path.reserve(dimensions.size());
  for (const Port dimension : dimensions) path.push_back({dimension, path.size()});
  return path;
}

std::vector<std::uint64_t> count_arrivals(const PacketSchedule& schedule, Rank processors) {
  std::vector<std::uint64_t> arrivals(processors);
  for (Rank origin = 0; origin < processors; ++origin) {
    for (std::uint32_t number = 0; number < schedule.streams(origin); ++number) {
      const PacketStream stream = schedule.stream(origin, number);
      const auto not_ascending = [](const PacketHop& a, const PacketHop& b) { return a.cycle >= b.cycle; };
      if (std::adjacent_find(stream.path.begin(), stream.path.end(), not_ascending) != stream.path.end()) {
        throw std::logic_error("the cycles of a path do not ascend");
      }
      Rank place = origin;
      for (const PacketHop& hop : stream.path) arrivals[place ^= Rank{1} << hop.dimension] += stream.packets.packets();
    }
  }
  return arrivals;
}

Process move_packets(Processor<LabelledBlock>& self, const PacketSchedule& schedule, std::uint64_t arrivals,
                     LabelledBlock& held) {
  PacketTraffic traffic(self, schedule, arrivals, held);
  while (true) {
    for (const Port port : self.arrivals()) traffic.take(self.receive(port));
    traffic.send();
    if (traffic.has_ended()) break;
    if (traffic.has_to_send()) {
      co_await self.cycle();
    } else {
      Message<LabelledBlock> message = co_await self.message();
      traffic.take(std::move(message));
    }
  }
}

Report move_packets(const RunRequest& request, const PacketSchedule& schedule, PerRank<LabelledBlock>& held) {
  const std::vector<std::uint64_t> arrivals = count_arrivals(schedule, request.topology.processors());
  return run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return move_packets(self, schedule, arrivals[self.rank()], held[self.rank()]);
  });
}

// On average half of a processor's ports have packets of others at once.
std::uint64_t bytes_of_packets(const MachineSpec& machine, const Model& model, std::uint64_t words,
                               std::uint64_t packet_words, std::uint64_t streams) {
  const Wide k = machine.processors;
  const Wide own = sizeof(LabelledBlock) + sizeof(PacketTraffic) + sizeof(std::uint64_t) + allocated_bytes(words) +
                   streams * (sizeof(OwnStream) + machine.ports * sizeof(PacketHop));
  // No more words can be under way than there are: on average those of one block per processor.
  const std::uint64_t packets = std::min<std::uint64_t>(machine.ports, (words + packet_words - 1) / packet_words);
  const Wide passing =
      machine.ports * (2 * sizeof(WaitingPacket) + sizeof(Passing)) / 2 + packets * allocated_bytes(packet_words);
  return saturated(machine_bytes<LabelledBlock>(machine, model) + k * (own + passing));
}

}  // namespace lockstep::packets
