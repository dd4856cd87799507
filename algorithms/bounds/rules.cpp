#include "rules.hpp"

#include <algorithm>

#include "lockstep/core/spread.hpp"

namespace lockstep::bounds {

Rules::Rules(const MachineSpec& machine, const Model& model)
    : ports_(model.ports),
      duplex_(model.duplex),
      spreads_(spreads_at_once(model)),
      is_medium_(machine.medium.has_value()) {
  if (!machine.medium) return;
  const Medium& medium = *machine.medium;
  if (!medium.takes_k_ports()) ports_ = PortModel::one;
  if (duplex_ == Duplex::half_link) duplex_ = Duplex::half_node;  // the link to the medium
  spreads_ = model.multicast && (medium.kind == MediumKind::bus || medium.copies);
  if (medium.kind == MediumKind::bus) users_ = medium.users;
}

Wide Rules::sends(Wide processors, Wide links) const {
  return std::min(users_, std::min(spreads_ ? processors : receipts_over_links(processors, links), processors));
}

Wide Rules::out(Wide links) const { return std::min(links, sends_at_once()); }

Wide Rules::in(Wide links) const { return std::min(links, collects()); }

Wide Rules::across(const MachineCut& cut) const {
  if (sends_on_all_ports()) return cut.links;
  return std::min({cut.links, sends_at_once() * cut.near_border, collects() * cut.far_border, users_});
}

Wide Rules::both_ways(const MachineCut& cut) const {
  const Wide there = across(cut);
  const Wide back = across({cut.links, cut.far_border, cut.near_border});
  if (duplex_ == Duplex::full) return std::min(users_, there + back);
  if (sends_on_all_ports()) return cut.links;
  // A link carries one message; under half duplex of processors each of them also sends or receives only.
  if (!is_half() || ports_ == PortModel::ring) return std::min({cut.links, there + back, users_});
  return std::min({cut.links, collects() * cut.near_border, collects() * cut.far_border, users_});
}

Wide Rules::receipts(Wide processors, Wide links) const {
  return std::min(users_, receipts_over_links(processors, links));
}

Wide Rules::receipts_over_links(Wide processors, Wide links) const {
  if (sends_on_all_ports()) return duplex_ == Duplex::full ? 2 * links : links;
  if (is_half()) {
    // Under the ring rule two receive from one sender.
    return ports_ == PortModel::ring ? 2 * processors / 3 : std::min(links, collects() * (processors / 2));
  }
  const Wide receivers = std::min(collects() * processors, duplex_ == Duplex::half_link ? links : 2 * links);
  // Both on the same port: pairs of neighbours exchange.
  return ports_ == PortModel::one_strict ? std::min(receivers, processors / 2 * 2) : receivers;
}

Wide Rules::copies(Wide processors, Wide links, Wide degree) const {
  if (!spreads_ || sends_on_all_ports()) return receipts(processors, links);
  const Wide all = collects() * processors;
  Wide receivers = duplex_ == Duplex::half_link ? std::min(all, links) : std::min(all, 2 * links);
  if (is_half()) receivers = all * degree / (degree + collects());
  return users_ < processors ? std::min(receivers, users_ * degree) : receivers;
}

Wide Rules::receivers(Wide processors, Wide links, Wide degree) const {
  if (!sends_on_all_ports()) return std::min(processors, copies(processors, links, degree));
  if (duplex_ == Duplex::full) return processors;
  return duplex_ == Duplex::half_link ? std::min(processors, links) : processors - 1;
}

// Over one link only one direction leads away from the root.
Wide Rules::progress(Wide processors, Wide links) const {
  const Wide receipts = std::min(this->receipts(processors, links), links);
  return ports_ == PortModel::one_strict ? std::min(receipts, processors / 2) : receipts;
}

std::string Rules::text() const {
  std::string text = is_medium_ && !is_k_ports(ports_) ? "one message a processor"
                     : ports_ == PortModel::all        ? "all ports"
                     : ports_ == PortModel::ring       ? "two sends or a send and a receive"
                     : ports_ == PortModel::one_strict ? "one port, strictly"
                     : is_k_ports(ports_)              ? name(ports_) + " ports"
                                                       : "one port";
  if (spreads_ && !sends_on_all_ports() && ports_ != PortModel::ring) text += ", multicast";
  if (duplex_ == Duplex::half_link) text += ", half duplex of links";
  if (duplex_ == Duplex::half_node) text += ", half duplex of processors";
  return text;
}

}  // namespace lockstep::bounds
