#pragma once

#include <string>

#include "lockstep/core/model.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/machine_spec.hpp"

// What a processor, a cut and a machine can move in a cycle, in messages. A lower bound of a number of words follows
// because a schedule whose longest messages sum up to V words can be carried out, word by word, in V cycles.
namespace lockstep::bounds {

/// A cut between two sides of a machine.
struct MachineCut {
  Wide links;        ///< across it
  Wide near_border;  ///< processors of one side with a link across it, or more
  Wide far_border;   ///< of the other side
};

/// The rules of a run that limit messages. Over a bus or a switch a processor sends and receives one message a cycle.
class Rules {
 public:
  Rules(const MachineSpec& machine, const Model& model);

  bool sends_on_all_ports() const { return ports_ == PortModel::all; }
  /// The most sends of a processor in a cycle.
  Wide sends_at_once() const { return ports_ == PortModel::ring ? 2 : port_limit(ports_); }
  /// The neighbours from which a processor can receive in a cycle.
  Wide collects() const { return port_limit(ports_); }
  /// The neighbours that it can send one word to.
  Wide reaches() const { return spreads_ ? port_limit(PortModel::all) : port_limit(ports_); }
  /// Whether a processor that receives over one link cannot send over another in the same cycle.
  bool is_in_turns() const { return duplex_ == Duplex::half_node || ports_ == PortModel::one_strict; }
  /// Whether it cannot even over the same link.
  bool is_half() const {
    return duplex_ == Duplex::half_node || (duplex_ == Duplex::half_link && ports_ == PortModel::one_strict);
  }
  bool is_half_of_links() const { return duplex_ != Duplex::full; }
  /// Whether one word can go to several neighbours at once.
  bool spreads() const { return spreads_; }

  /// Messages that leave all processors in a cycle, one with several receivers counted once.
  Wide sends(Wide processors, Wide links) const;
  /// Different words that can leave, or enter, a processor of that many links in a cycle.
  Wide out(Wide links) const;
  Wide in(Wide links) const;
  /// Different words that can cross a cut in a cycle from the near side to the far one.
  Wide across(const MachineCut& cut) const;
  /// The same in both directions together.
  Wide both_ways(const MachineCut& cut) const;
  /// Different words that can be received in a cycle by all processors together.
  Wide receipts(Wide processors, Wide links) const;
  /// The same where one word may go to several receivers, `degree` at most.
  Wide copies(Wide processors, Wide links, Wide degree) const;
  /// Processors that can receive in a cycle.
  Wide receivers(Wide processors, Wide links, Wide degree) const;
  /// Different blocks of one root that can come a link closer to their destinations, away from it, in a cycle.
  Wide progress(Wide processors, Wide links) const;
  /// The most transactions on a bus in a cycle; more than a machine has processors where there is no limit.
  Wide users() const { return users_; }

  /// "one port", "all ports, half duplex of links": for the text of a bound.
  std::string text() const;

 private:
  Wide receipts_over_links(Wide processors, Wide links) const;
  PortModel ports_;
  Duplex duplex_;
  bool spreads_;
  Wide users_ = ~std::uint64_t{0};
  bool is_medium_;
};

}  // namespace lockstep::bounds
