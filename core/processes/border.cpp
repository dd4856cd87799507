#include "processes/border.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace lockstep::detail {
namespace {

/// The head of the bytes between processes, by which data that was lost, duplicated or misdirected is detected.
struct LinkHeader {
  std::uint32_t now;
  std::uint32_t from;
  std::uint32_t to;
};

/// An item about a link: the link's number times two, plus 1 if it reports emptied places and not a message.
struct LinkItem {
  std::uint32_t link_and_kind;

  static LinkItem message(std::uint32_t link) { return {2 * link}; }
  static LinkItem emptied(std::uint32_t link) { return {2 * link + 1}; }
  std::uint32_t link() const { return link_and_kind / 2; }
  bool is_emptied() const { return link_and_kind % 2 == 1; }
};

}  // namespace

Border::Border(const Division& division, const Ground& ground, LinkNetwork& links)
    : division_(division),
      ground_(ground),
      links_(links),
      payload_((ground.payload.bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)) {
  const Topology& topology = ground.topology;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    if (!division.is_here(rank)) continue;
    for (Port port = 0; port < topology.ports(); ++port) {
      const End peer = topology.glance(rank, port);
      if (!peer || division.is_here(peer.rank)) continue;
      cuts_.push_back({{rank, port}, peer, division.placement.owner(peer.rank), 0, 0});
    }
  }
  for (const CutLink& cut : cuts_) neighbours_.push_back(cut.neighbour);
  std::ranges::sort(neighbours_);
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  in_.resize(neighbours_.size());
  out_.resize(neighbours_.size());
  delays_.resize(neighbours_.size());
  for (std::uint32_t index = 0; index < cuts_.size(); ++index) {
    CutLink& cut = cuts_[index];
    cut.neighbour =
        static_cast<std::uint32_t>(std::ranges::lower_bound(neighbours_, cut.neighbour) - neighbours_.begin());
    cut.in = static_cast<std::uint32_t>(in_[cut.neighbour].size());
    in_[cut.neighbour].push_back(index);
    out_[cut.neighbour].push_back(index);
  }
  for (auto& of_neighbour : out_) {
    std::ranges::sort(of_neighbour, {},
                      [&](std::uint32_t index) { return std::pair(cuts_[index].peer.rank, cuts_[index].peer.port); });
    for (std::uint32_t place = 0; place < of_neighbour.size(); ++place) cuts_[of_neighbour[place]].out = place;
  }
}

std::vector<Bytes> Border::begin_bytes(Stamp now) const {
  std::vector<Bytes> outgoing(neighbours_.size());
  for (std::size_t neighbour = 0; neighbour < neighbours_.size(); ++neighbour) {
    ByteWriter(outgoing[neighbour]).put(LinkHeader{now, division_.processes.own(), neighbours_[neighbour]});
  }
  return outgoing;
}

std::vector<Bytes> Border::swap(std::vector<Bytes> outgoing) const {
  if (neighbours_.empty()) return {};
  return division_.processes.exchange(neighbours_, std::move(outgoing));
}

ByteReader Border::open(const Bytes& bytes, std::size_t neighbour, Stamp now, SharedValues* shared) const {
  ByteReader from(bytes, shared);
  const auto header = from.get<LinkHeader>();
  if (std::tuple(header.now, header.from, header.to) !=
      std::tuple(now, neighbours_[neighbour], division_.processes.own())) {
    throw std::runtime_error("process " + std::to_string(division_.processes.own()) + " expected data of cycle " +
                             std::to_string(cycle_of(now)) + " from process " + std::to_string(neighbours_[neighbour]) +
                             ", but received data of cycle " + std::to_string(cycle_of(header.now)) + " from process " +
                             std::to_string(header.from) + " to process " + std::to_string(header.to));
  }
  return from;
}

void Border::put_message(const CutLink& cut, ByteWriter& to) {
  const double arrival = links_.lift(cut.peer, payload_.data());
  to.put(LinkItem::message(cut.out));
  to.put(arrival);
  if (port_limit(ground_.model.ports) == 1 && !sends_on_several_ports(ground_.model.ports)) {
    to.put(links_.take_receive_clock(cut.peer.rank));
  }
  ground_.payload.pack(payload_.data(), to);
  if (ground_.payload.destroy != nullptr) ground_.payload.destroy(payload_.data());
  ++left_;
  ++balance_;
}

void Border::take_message(CutLink& cut, ByteReader& from, Stamp now) {
  auto arrival = from.get<double>();
  if (!sends_on_several_ports(ground_.model.ports)) {
    const bool limited = is_k_ports(ground_.model.ports);
    auto booked = limited ? arrival : from.get<double>();
    ground_.payload.unpack(payload_.data(), from);
    // The later of two starts ends later, at the same sum of the same numbers as on one process.
    const double clock =
        limited ? links_.tallies().receive_clock(cut.own.rank) : links_.take_receive_clock(cut.own.rank);
    const Passage passage = ground_.payload.passage(payload_.data(), ground_.model.cost);
    if (limited && passage.release != passage.arrival) booked += passage.release - passage.arrival;
    const double release = std::max(booked, clock + passage.release);
    arrival = std::max(arrival, clock + passage.arrival);
    if (limited) {
      links_.tallies().book_receipt(cut.own.rank, release);
    } else {
      links_.set_receive_clock(cut.own.rank, release);
    }
    if (release > booked) {
      delays_[cut.neighbour].emplace_back(cut.in, release);
      has_delays_ = true;
    }
  } else {
    ground_.payload.unpack(payload_.data(), from);
  }
  links_.arrive(cut.own, payload_.data(), arrival, now);
  ++cut.kept;
  ++came_;
}

bool Border::may_have_sent(const Control& control, Port port, Stamp now) const {
  if (control.last_send != now) return false;
  return sends_on_several_ports(ground_.model.ports) || is_k_ports(ground_.model.ports) ||
         control.sent_port == Control::several_ports || control.sent_port == port;
}

void Border::exchange(std::span<const Visits> visited, const Control* controls, Stamp now) {
  left_ = came_ = 0;
  has_delays_ = false;
  std::vector<Bytes> outgoing = begin_bytes(now);
  std::vector<SharedValues> shared(neighbours_.size());
  auto cut = cuts_.begin();
  for (const Visits& group : visited) {
    const Rank first = group.group * 64;
    if (cut != cuts_.end() && cut->own.rank < first) {
      cut =
          std::lower_bound(cut, cuts_.end(), first, [](const CutLink& one, Rank rank) { return one.own.rank < rank; });
    }
    for (; cut != cuts_.end() && cut->own.rank - first < 64; ++cut) {
      if ((group.ranks >> (cut->own.rank - first) & 1) == 0) continue;
      ByteWriter to(outgoing[cut->neighbour], &shared[cut->neighbour]);
      if (may_have_sent(controls[cut->own.rank], cut->own.port, now) && links_.has_carried(cut->peer, now)) {
        put_message(*cut, to);
      }
      if (cut->kept == 0) continue;
      if (const std::uint32_t emptied = links_.emptied(cut->own, now); emptied > 0) {
        cut->kept -= emptied;
        to.put(LinkItem::emptied(cut->in));
        to.put(emptied);
        ++balance_;
      }
    }
  }
  const std::vector<Bytes> incoming = swap(std::move(outgoing));
  for (std::size_t neighbour = 0; neighbour < incoming.size(); ++neighbour) {
    SharedValues shared_there;
    ByteReader from = open(incoming[neighbour], neighbour, now, &shared_there);
    while (!from.at_end()) {
      const auto item = from.get<LinkItem>();
      --balance_;
      if (item.is_emptied()) {
        links_.free_places(cuts_[out_[neighbour].at(item.link())].peer, from.get<std::uint32_t>(), now);
      } else {
        take_message(cuts_[in_[neighbour].at(item.link())], from, now);
      }
    }
  }
}

void Border::settle_delays(Control* controls, Stamp now) {
  std::vector<Bytes> outgoing = begin_bytes(now);
  for (std::size_t neighbour = 0; neighbour < neighbours_.size(); ++neighbour) {
    ByteWriter to(outgoing[neighbour]);
    for (const auto& [link, release] : std::exchange(delays_[neighbour], {})) {
      to.put(link);
      to.put(release);
      ++balance_;
    }
  }
  const std::vector<Bytes> incoming = swap(std::move(outgoing));
  for (std::size_t neighbour = 0; neighbour < incoming.size(); ++neighbour) {
    ByteReader from = open(incoming[neighbour], neighbour, now);
    while (!from.at_end()) {
      const auto link = from.get<std::uint32_t>();
      Control& control = controls[cuts_[out_[neighbour].at(link)].own.rank];
      const auto release = from.get<double>();
      if (is_k_ports(ground_.model.ports)) {
        links_.tallies().book_send(control.rank, release);
      } else {
        control.send_clock = std::max(control.send_clock, release);
      }
      --balance_;
    }
  }
}

}  // namespace lockstep::detail
