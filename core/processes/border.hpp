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
/// Every process has the records of both directions. That of what goes out is a stub: the sender finds its room and
/// its counts there, as on any link, and at the barrier the message leaves it for the record of the same place in the
/// receiver's process, while the place stays filled until word comes that it has been emptied there.
/// Under one-port a receiver's clock is in its process alone. The sender's process books a transfer as if that clock
/// were 0, and the receiver's moves it on to where it ends, and tells the sender's if that is later.
///
/// Thread-safety: of the barrier, for the calling thread alone.
class Border {
 public:
  Border(const Division& division, const Ground& ground, LinkNetwork& links);

  /// Takes what the visited processors have sent in the cycle of `now` to the processes where it belongs, and what came
  /// from there to the links; likewise the places that were emptied. Throws std::runtime_error if what comes is not of
  /// this cycle, or not for this process.
  void exchange(std::span<const Visits> visited, const Control* controls, Stamp now);
  /// Messages that have left in the last exchange, and those that have come.
  std::uint64_t left() const { return left_; }
  std::uint64_t came() const { return came_; }
  /// What this process has told others of links in the run, less what it has been told: over all processes nothing, if
  /// nothing was lost or came twice.
  std::uint64_t balance() const { return balance_; }
  /// Whether a message that came ends later than its sender knows.
  bool has_delays() const { return has_delays_; }
  /// Tells the senders; all processes have to do so if one of them has delays.
  void settle_delays(Control* controls, Stamp now);

 private:
  /// One link, and its places in the orders by which both processes number their links: by the receiving end.
  struct Cut {
    End own;
    End peer;
    std::uint32_t neighbour;  // index of its process among the neighbours
    std::uint32_t in;         // of what comes, among the links from there
    std::uint32_t out;        // of what goes, among the links to there
    std::uint32_t kept = 0;   // messages that came and have not been taken, as far as their sender knows
  };

  std::vector<Bytes> begin_bytes(Stamp now) const;
  std::vector<Bytes> swap(std::vector<Bytes> outgoing) const;
  ByteReader open(const Bytes& bytes, std::size_t neighbour, Stamp now, SharedValues* shared = nullptr) const;
  /// Without a look at the link, which is far away: false if the processor has sent elsewhere alone in this cycle.
  bool may_have_sent(const Control& control, Port port, Stamp now) const;
  void put_message(const Cut& cut, ByteWriter& to);
  void take_message(Cut& cut, ByteReader& from, Stamp now);

  const Division& division_;
  const Ground& ground_;
  LinkNetwork& links_;
  std::vector<unsigned> neighbours_;                                   // processes, ascending
  std::vector<Cut> cuts_;                                              // by own end
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
