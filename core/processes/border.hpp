#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cycle/scheduler.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::detail {

/// The links between processors of this process and those of others.
///
/// Every process has the records of both directions. The outgoing record is a stub: the sender finds its room and its
/// counts there, as on any link; at the barrier the message moves to the record in the receiver's process, and its
/// place here stays filled until that process reports it emptied. Under one-port a receiver's clock exists in its own
/// process only. The sender's process books a transfer as if that clock were 0; the receiver's process moves it to its
/// real end and reports the end if it is later.
///
/// Thread-safety: used at the barrier, by the calling thread alone.
class Border {
 public:
  Border(const Division& division, const Ground& ground, LinkNetwork& links);

  /// Sends the messages of the visited processors in the cycle of `now` to the receivers' processes, and puts those
  /// received from there on the links; likewise the places that were emptied. Throws std::runtime_error if the received
  /// data belongs to another cycle or another process.
  void exchange(std::span<const Visits> visited, const Control* controls, Stamp now);
  /// Messages sent to other processes in the last exchange, and messages received from them.
  std::uint64_t left() const { return left_; }
  std::uint64_t came() const { return came_; }
  /// Items sent to other processes in the run, less items received from them: 0 over all processes unless data was lost
  /// or duplicated.
  std::uint64_t balance() const { return balance_; }
  /// Whether a received message ends later than its sender knows.
  bool has_delays() const { return has_delays_; }
  /// Reports the delays to the senders; all processes must call this if one of them has delays.
  void settle_delays(Control* controls, Stamp now);

 private:
  /// One link, and its places in the orders by which both processes number their links: by the receiving end.
  struct CutLink {
    End own;
    End peer;
    std::uint32_t neighbour;  // index of its process among the neighbours
    std::uint32_t in;         // of incoming messages, among the links from there
    std::uint32_t out;        // of outgoing messages, among the links to there
    std::uint32_t kept = 0;   // messages received and not taken, as far as their sender knows
  };

  std::vector<Bytes> begin_bytes(Stamp now) const;
  std::vector<Bytes> swap(std::vector<Bytes> outgoing) const;
  ByteReader open(const Bytes& bytes, std::size_t neighbour, Stamp now, SharedValues* shared = nullptr) const;
  /// Decided without the link's record, which is far away: false if the processor can only have sent elsewhere in this
  /// cycle.
  bool may_have_sent(const Control& control, Port port, Stamp now) const;
  void put_message(const CutLink& cut, ByteWriter& to);
  void take_message(CutLink& cut, ByteReader& from, Stamp now);

  const Division& division_;
  const Ground& ground_;
  LinkNetwork& links_;
  std::vector<unsigned> neighbours_;                                   // processes, ascending
  std::vector<CutLink> cuts_;                                          // by own end
  std::vector<std::vector<std::uint32_t>> in_;                         // by neighbour: the cuts by their own ends
  std::vector<std::vector<std::uint32_t>> out_;                        // by neighbour: the cuts by their peers
  std::vector<std::vector<std::pair<std::uint32_t, double>>> delays_;  // by neighbour: `in` and when the sender is free
  std::vector<std::max_align_t> payload_;                              // on its way
  std::uint64_t left_ = 0;
  std::uint64_t came_ = 0;
  std::uint64_t balance_ = 0;
  bool has_delays_ = false;
};

}  // namespace lockstep::detail
