// The rules of the machine that need both sides of a message, judged at the barrier: no verdict depends on which side
// acted first. A rule that a sender alone can break is enforced at once by the network.
#include "cycle/rules.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/failure_text.hpp"

namespace lockstep::detail {

namespace {

void record(const Moves& moves, Rank rank, ErrorKind kind, std::vector<Port> ports, std::string rule) {
  moves.workers.front().record({rank, kind, std::move(ports), std::move(rule), {}});
}

void record_receives(const Moves& moves, Rank rank, const std::vector<Port>& from) {
  const PortModel ports = moves.ground.model.ports;
  std::string rule = std::to_string(from.size()) + " messages sent to one processor in one cycle (";
  if (moves.links != nullptr) rule += in_words(ports) + ": ";
  const std::string limit = is_k_ports(ports) ? std::to_string(port_limit(ports)) + " receives" : "one receive";
  record(moves, rank, ErrorKind::receive_limit, from, rule + "at most " + limit + " a cycle)");
}

/// The rules of one processor that was sent a message over a link.
void judge_receiver(const Moves& moves, Rank rank) {
  const Model& model = moves.ground.model;
  const std::vector<Port> received = moves.links->received_on(rank, moves.stamp());
  if (received.empty()) return;
  if (received.size() > port_limit(model.ports)) record_receives(moves, rank, received);
  if (moves.controls[rank].last_send != moves.stamp()) return;

  std::vector<Port> sent;
  std::vector<Port> both;
  for (Port port = 0; port < moves.ground.topology.ports(); ++port) {
    if (!moves.links->sent_on(rank, port, moves.stamp())) continue;
    sent.push_back(port);
    if (std::find(received.begin(), received.end(), port) != received.end()) both.push_back(port);
  }
  if (sent.empty()) return;
  if (model.ports == PortModel::ring && sent.size() > 1) {
    record(moves, rank, ErrorKind::receive_limit, received,
           "received there, but sent on ports " + list_ports(sent) + " in the same cycle (" + in_words(model.ports) +
               ": two sends, or a send and a receive)");
  }
  const std::string sent_elsewhere = "received there, but sent on port " + list_ports(sent) + " in the same cycle (";
  if (model.ports == PortModel::one_strict && sent != received) {
    record(moves, rank, ErrorKind::one_strict, received,
           sent_elsewhere + in_words(model.ports) + ": both on one port)");
  }
  if (model.duplex == Duplex::half_link && !both.empty()) {
    record(moves, rank, ErrorKind::half_link, both,
           "sent and received over one link in one cycle (" + in_words(model.duplex) + ": one direction a cycle)");
  }
  if (model.duplex == Duplex::half_node) {
    record(moves, rank, ErrorKind::half_node, received,
           sent_elsewhere + in_words(model.duplex) + ": either send or receive)");
  }
}

void judge_links(const Moves& moves) {
  const Model& model = moves.ground.model;
  // Every message marks its receiver, so two to one receiver leave fewer receivers than messages.
  const bool received_twice = port_limit(model.ports) == 1 && moves.scheduler.receivers() != moves.received;
  const bool two_sided =
      model.ports == PortModel::one_strict || model.ports == PortModel::ring || model.duplex != Duplex::full;
  if (!received_twice && !moves.crowded && !two_sided) return;
  for (const Visits& group : moves.scheduler.visits()) {
    for_ranks(group, [&](Rank rank) { judge_receiver(moves, rank); });
  }
}

/// More transactions or accesses than the medium serves in a cycle: reported for the first sender beyond its limit.
void judge_users(const Moves& moves, const Medium& medium) {
  std::vector<Rank> senders;
  for (Rank rank = 0; rank < moves.processors(); ++rank) {
    if (moves.controls[rank].last_send == moves.stamp()) senders.push_back(rank);
  }
  if (senders.size() <= medium.users) {
    throw std::runtime_error("another process reports more transactions than senders");
  }
  const bool memory = medium.kind == MediumKind::memory;
  record(moves, senders[medium.users], ErrorKind::medium_limit, {},
         std::to_string(moves.received) + (memory ? " accesses to the memory" : " transactions on the bus") +
             " in one cycle, of ranks " + list_ports(senders) + " (kstar " + std::to_string(medium.users) + ")");
}

/// Processors that were sent several messages, and slots that were written several times.
void judge_collisions(const Moves& moves, std::vector<Crossing> crossings) {
  const bool memory = moves.ground.topology.medium()->kind == MediumKind::memory;
  std::stable_sort(crossings.begin(), crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return a.to < b.to; });
  for (auto first = crossings.begin(); first != crossings.end();) {
    const auto last =
        std::find_if(first, crossings.end(), [&](const Crossing& other) { return other.to != first->to; });
    std::vector<Rank> from;
    for (auto crossing = first; crossing != last; ++crossing) from.push_back(crossing->from);
    if (from.size() > 1 && memory) {
      record(moves, from.front(), ErrorKind::write_conflict, {first->to},
             "written by ranks " + list_ports(from) + " in one cycle");
    } else if (from.size() > port_limit(moves.ground.model.ports)) {
      record_receives(moves, first->to, from);
    }
    first = last;
  }
}

/// Banks that several processors have accessed: reported for the lowest processor of each, with its slots there.
void judge_banks(const Moves& moves, std::uint64_t banks) {
  std::vector<Crossing> accesses = moves.medium->accesses(moves.workers);
  const auto bank_of = [banks](const Crossing& access) { return access.to % banks; };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](const Crossing& a, const Crossing& b) { return bank_of(a) < bank_of(b); });
  for (auto first = accesses.begin(); first != accesses.end();) {
    const std::uint64_t bank = bank_of(*first);
    const auto last =
        std::find_if(first, accesses.end(), [&](const Crossing& other) { return bank_of(other) != bank; });
    std::vector<Rank> users;
    std::vector<Port> slots;  // of the first
    for (auto access = first; access != last; ++access) {
      if (users.empty() || users.back() != access->from) users.push_back(access->from);
      if (access->from == first->from && (slots.empty() || slots.back() != access->to)) slots.push_back(access->to);
    }
    if (users.size() > 1) {
      record(moves, users.front(), ErrorKind::bank_conflict, std::move(slots),
             "ranks " + list_ports(users) + " had access to bank " + std::to_string(bank) + " in one cycle (banks " +
                 std::to_string(banks) + ": each serves one processor a cycle)");
    }
    first = last;
  }
}

/// A processor has one link to its bus or switch, so half-link and half-node mean the same.
void judge_directions(const Moves& moves, const std::vector<Crossing>& crossings) {
  const Duplex duplex = moves.ground.model.duplex;
  for (const Crossing& crossing : crossings) {
    if (moves.controls[crossing.to].last_send != moves.stamp()) continue;
    record(moves, crossing.to, duplex == Duplex::half_link ? ErrorKind::half_link : ErrorKind::half_node,
           {crossing.from},
           "received from there, but sent in the same cycle (" + in_words(duplex) + ": either send or receive)");
  }
}

void judge_network(const Moves& moves, const Medium& medium, const std::vector<Crossing>& crossings) {
  const auto blocking = medium.network(moves.processors(), crossings);
  if (!blocking) return;
  const auto text = [](const Crossing& crossing) {
    return "rank " + std::to_string(crossing.from) + " to " + std::to_string(crossing.to);
  };
  const std::string both = "the messages of " + text(blocking->first) + " and " + text(blocking->second);
  const std::string stage = "stage " + std::to_string(blocking->stage) + " of the network";
  // Where messages have several paths, two may pass alone that do not pass with others.
  const std::vector<Crossing> pair{blocking->first, blocking->second};
  const auto of_pair = medium.network(moves.processors(), pair);
  const bool alone = of_pair && of_pair->stage == blocking->stage;
  record(moves, blocking->first.from, ErrorKind::blocked, {blocking->first.to},
         both + (alone ? " want the same output of " + stage
                       : " cannot pass " + stage + " together with those of the ranks between them"));
}

void judge_medium(const Moves& moves) {
  const Medium& medium = *moves.ground.topology.medium();
  if (moves.received > medium.users) judge_users(moves, medium);
  if (medium.banks != 0) judge_banks(moves, medium.banks);
  const bool collided =
      std::any_of(moves.workers.begin(), moves.workers.end(), [](const Worker& worker) { return worker.collided; });
  const bool directed = moves.ground.model.duplex != Duplex::full && medium.kind != MediumKind::memory;
  if (!collided && !directed && medium.network == nullptr) return;

  const std::vector<Crossing> crossings = MediumNetwork::crossings(moves.workers);
  if (directed) judge_directions(moves, crossings);
  if (collided) {
    judge_collisions(moves, crossings);
  } else if (medium.network != nullptr) {
    judge_network(moves, medium, crossings);
  }
}

}  // namespace

void judge(const Moves& moves) {
  if (moves.received == 0) return;
  if (moves.links != nullptr) {
    judge_links(moves);
  } else {
    judge_medium(moves);
  }
}

}  // namespace lockstep::detail
