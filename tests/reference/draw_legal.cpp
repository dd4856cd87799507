#include <algorithm>
#include <map>
#include <set>

#include "draw.hpp"
#include "omega.hpp"

namespace lockstep::reference {

namespace {

/// `amount` of local work of either kind.
Operation copy_or_arithmetic(std::uint64_t amount) {
  return {.verb = amount % 2 == 0 ? Verb::charge : Verb::compute, .number = amount};
}

/// The actions of one processor in one cycle: takes, then sends; or an access to a memory.
struct CyclePlan {
  std::vector<Port> takes;
  std::vector<Port> sends;
  std::optional<Operation> access{};
};
using CyclePlans = std::map<Cycle, CyclePlan>;

/// The actions of one processor in a run.
struct ProcessorPlan {
  CyclePlans turns;
  bool prompt = false;  ///< takes every message in the cycle in which it arrives
};

/// Plans messages for the whole machine, cycle by cycle, so that no rule is broken.
class DrawnPlan {
 public:
  DrawnPlan(Dice& dice, const Wiring& wiring, const Rules& rules, const Medium* medium = nullptr)
      : dice_(dice), wiring_(wiring), rules_(rules), medium_(medium), parts_(wiring.size()), inboxes_(wiring.size()) {
    for (ProcessorPlan& part : parts_) part.prompt = dice.chance(30);
  }

  std::vector<ProcessorPlan> draw(Cycle cycles) {
    const auto density = static_cast<unsigned>(dice_.between(5, 90));
    for (Cycle cycle = 0; cycle < cycles; ++cycle) {
      sends_.assign(wiring_.size(), {});
      receives_.assign(wiring_.size(), {});
      crossings_.clear();
      transactions_ = 0;
      // Not always the low ranks first: under a tight model the first processors get more to send.
      const auto shift = static_cast<Rank>(dice_.below(wiring_.size()));
      for (Rank index = 0; index < wiring_.size(); ++index) {
        draw_sends((index + shift) % static_cast<Rank>(wiring_.size()), cycle, density);
      }
    }
    return parts_;
  }

 private:
  void draw_sends(Rank rank, Cycle cycle, unsigned density) {
    const bool crossbar = medium_ != nullptr && medium_->kind == Shared::crossbar;
    const bool several = rules_.ports == Ports::all || rules_.ports == Ports::ring || rules_.ports == Ports::limited ||
                         (rules_.ports == Ports::one && rules_.multicast && !crossbar);
    const auto ports = static_cast<Port>(wiring_[rank].size());
    const auto shift = medium_ == nullptr ? 0 : static_cast<Port>(dice_.below(ports));
    for (Port index = 0; index < ports; ++index) {
      const Port port = (index + shift) % ports;
      if (!dice_.chance(several ? density : std::max(density / 2, 100 / ports))) continue;
      if (!may_send(rank, port, cycle)) continue;
      send(rank, port, cycle);
      const End to = wiring_[rank][port];
      if (dice_.chance(50) && may_send(to.rank, to.port, cycle)) send(to.rank, to.port, cycle);
    }
  }

  bool may_send(Rank rank, Port port, Cycle cycle) const {
    const End to = wiring_[rank][port];
    if (to.rank == nobody || sends_[rank].contains(port)) return false;
    if (medium_ != nullptr) return may_send_on_medium(rank, to.rank, cycle);
    const auto lasting = [&](Cycle take) { return take >= cycle; };
    const auto found = takes_.find({to.rank, to.port});
    if (found != takes_.end() && std::count_if(found->second.begin(), found->second.end(), lasting) >=
                                     static_cast<std::ptrdiff_t>(rules_.capacity)) {
      return false;
    }
    if (rules_.ports == Ports::limited) {
      if (receives_[to.rank].size() == rules_.limit) return false;
      if (sends_[rank].size() == rules_.limit && !rules_.multicast) return false;
    } else if (rules_.ports != Ports::all) {
      const bool several = rules_.ports == Ports::ring || (rules_.ports == Ports::one && rules_.multicast);
      if (!receives_[to.rank].empty() || (!sends_[rank].empty() && !several)) return false;
    }
    if (rules_.ports == Ports::ring) {
      if (sends_[to.rank].size() > 1 || (!sends_[rank].empty() && !receives_[rank].empty())) return false;
    }
    if (rules_.ports == Ports::one_strict) {
      const auto only = [](const std::set<Port>& ports, Port one) { return ports.empty() || ports.contains(one); };
      if (!only(sends_[to.rank], to.port) || !only(receives_[rank], port)) return false;
    }
    if (rules_.duplex == Duplex::half_link && sends_[to.rank].contains(to.port)) return false;
    if (rules_.duplex == Duplex::half_node && (!sends_[to.rank].empty() || !receives_[rank].empty())) return false;
    return true;
  }

  bool may_send_on_medium(Rank rank, Rank to, Cycle cycle) const {
    const bool to_several = rules_.multicast && (medium_->kind == Shared::bus || medium_->copies);
    const std::size_t others = std::max<std::size_t>(wiring_.size() - 1, 1);
    const std::size_t limit = rules_.ports == Ports::limited ? std::min<std::size_t>(rules_.limit, others) : 1;
    if (sends_[rank].empty() ? transactions_ == medium_->users : !to_several && sends_[rank].size() >= limit)
      return false;
    if (receives_[to].size() == limit) return false;
    const auto lasting = [&](Cycle take) { return take >= cycle; };
    const auto waiting = static_cast<std::size_t>(std::count_if(inboxes_[to].begin(), inboxes_[to].end(), lasting));
    if (waiting - receives_[to].size() + limit > rules_.capacity * limit) return false;
    if (rules_.duplex != Duplex::full && (!sends_[to].empty() || !receives_[rank].empty())) return false;
    if (!medium_->omega) return true;
    std::vector<Crossing> crossings = crossings_;
    crossings.push_back({rank, to});
    return !first_blocked(static_cast<Rank>(wiring_.size()), crossings);
  }

  void send(Rank rank, Port port, Cycle cycle) {
    const End to = wiring_[rank][port];
    if (sends_[rank].empty()) ++transactions_;
    if (medium_ != nullptr) crossings_.push_back({rank, to.rank});
    sends_[rank].insert(port);
    receives_[to.rank].insert(to.port);
    parts_[rank].turns[cycle].sends.push_back(port);
    auto& takes = takes_[{to.rank, to.port}];
    const Cycle soonest = cycle + 1 + (!parts_[to.rank].prompt && dice_.chance(25) ? dice_.between(1, 3) : 0);
    takes.push_back(takes.empty() ? soonest : std::max(soonest, takes.back()));
    parts_[to.rank].turns[takes.back()].takes.push_back(to.port);
    if (medium_ == nullptr) return;
    std::erase_if(inboxes_[to.rank], [&](Cycle take) { return take < cycle; });
    inboxes_[to.rank].push_back(takes.back());
  }

  Dice& dice_;
  const Wiring& wiring_;
  const Rules& rules_;
  const Medium* medium_;
  std::vector<ProcessorPlan> parts_;
  std::vector<std::set<Port>> sends_;                          // ports used in this cycle
  std::vector<std::set<Port>> receives_;                       // likewise
  std::map<std::pair<Rank, Port>, std::vector<Cycle>> takes_;  // planned, by receiving end
  std::vector<std::vector<Cycle>> inboxes_;                    // on a medium: the same by receiver
  std::vector<Crossing> crossings_;                            // on a medium: in this cycle
  std::uint64_t transactions_ = 0;                             // in this cycle
};

std::vector<std::uint64_t> draw_blocks(Dice& dice) {
  std::vector<std::uint64_t> blocks(dice.chance(70) ? 1 : dice.below(5));
  for (std::uint64_t& block : blocks) block = dice.chance(5) ? dice.below(40) : dice.below(7);
  return blocks;
}

/// Plans the writes and reads of all processors.
class MemoryPlan {
 public:
  MemoryPlan(Dice& dice, const Medium& medium, Rank processors) : dice_(dice), medium_(medium), parts_(processors) {}

  std::vector<ProcessorPlan> draw(Cycle cycles) {
    const auto density = static_cast<unsigned>(dice_.between(5, 100));
    for (Cycle cycle = 0; cycle < cycles; ++cycle) {
      std::uint64_t accesses = 0;
      std::set<Port> writes;
      banks_in_use_.clear();
      const auto shift = dice_.below(parts_.size());
      for (std::size_t index = 0; index < parts_.size() && accesses < medium_.users; ++index) {
        if (!dice_.chance(density)) continue;
        Operation access = draw_access(writes);
        if (access.ports.empty()) continue;
        parts_[(index + shift) % parts_.size()].turns[cycle].access = std::move(access);
        ++accesses;
      }
      written_.insert(writes.begin(), writes.end());
    }
    return parts_;
  }

 private:
  /// Without slots if none of those drawn can be accessed.
  Operation draw_access(std::set<Port>& writes) {
    Operation access{.verb = dice_.chance(60) ? Verb::read : Verb::write};
    std::set<Port> banks;
    for (auto count = dice_.chance(60) ? 1 : dice_.between(2, 4); count > 0; --count) {
      const auto slot = static_cast<Port>(dice_.below(medium_.slots));
      if (medium_.banks != 0 && banks_in_use_.contains(slot % medium_.banks)) continue;
      const bool may = access.verb == Verb::read ? written_.contains(slot) : writes.insert(slot).second;
      if (!may) continue;
      access.ports.push_back(slot);
      if (medium_.banks != 0) banks.insert(slot % medium_.banks);
    }
    banks_in_use_.merge(banks);
    access.blocks = draw_blocks(dice_);
    return access;
  }

  Dice& dice_;
  const Medium& medium_;
  std::vector<ProcessorPlan> parts_;
  std::set<Port> written_;       // in earlier cycles
  std::set<Port> banks_in_use_;  // in this cycle
};

/// Expresses a processor's part as a program.
class Telling {
 public:
  Telling(Dice& dice, const Rules& rules, ProcessorPlan part, bool on_medium)
      : dice_(dice), rules_(rules), part_(std::move(part)), on_medium_(on_medium) {}

  Program draw() {
    // A processor that takes late might take the wrong message first.
    takes_any_ = part_.prompt && dice_.chance(60);
    drains_ = !takes_any_ && dice_.chance(10);
    for (auto turn = part_.turns.begin(); turn != part_.turns.end(); ++turn) {
      tell_takes(turn->first, turn->second.takes);
      if (!turn->second.sends.empty()) tell_sends(turn);
      if (!turn->second.access) continue;
      program_.push_back(*turn->second.access);
      if (program_.back().verb == Verb::read) ++now_;
    }
    decorate();
    return wrap(std::move(program_), 3);
  }

 private:
  void add(Verb verb, std::vector<Port> ports = {}, std::uint64_t number = 0) {
    program_.push_back({.verb = verb, .ports = std::move(ports), .number = number});
  }

  void go_to(Cycle cycle) {
    if (cycle <= now_) return;
    while (now_ < cycle && dice_.chance(now_ + 1 == cycle ? 60 : 20)) {
      add(Verb::cycle);
      ++now_;
    }
    if (now_ < cycle || dice_.chance(20)) add(Verb::until, {}, cycle);
    now_ = cycle;
  }

  void tell_takes(Cycle cycle, const std::vector<Port>& takes) {
    if (drains_) {
      go_to(cycle);
      if (!takes.empty()) add(Verb::drain);
      return;
    }
    if (takes_any_) {
      for (std::size_t count = takes.size(); count > 0; --count) add(Verb::any_message);
      add(Verb::until, {}, cycle);
      now_ = cycle;
      return;
    }
    std::size_t next = 0;
    if (!takes.empty() && dice_.chance(60)) {
      add(Verb::message, {takes[next++]});
      add(Verb::until, {}, cycle);
      now_ = cycle;
    } else {
      go_to(cycle);
    }
    for (; next < takes.size(); ++next) {
      add(dice_.one_of<Verb>({Verb::receive, Verb::receive, Verb::poll, Verb::message}), {takes[next]});
    }
  }

  void tell_sends(CyclePlans::iterator turn) {
    const std::vector<Port>& sends = turn->second.sends;
    const bool only_at_once =
        rules_.ports == Ports::one || (rules_.ports == Ports::limited && sends.size() > rules_.limit);
    const bool only_one_by_one = rules_.ports == Ports::limited && on_medium_;
    if (sends.size() > 1 && !only_one_by_one && (only_at_once || dice_.chance(50))) {
      add(Verb::multicast, sends);
      program_.back().blocks = draw_blocks(dice_);
      return;
    }
    for (const Port port : sends) {
      const auto next = std::next(turn);
      const bool last = port == sends.back() && !takes_any_ && !drains_ && next != part_.turns.end();
      if (last && next->first == turn->first + 1 && !next->second.takes.empty() && next->second.takes[0] == port &&
          dice_.chance(70)) {
        add(Verb::exchange, {port});
        next->second.takes.erase(next->second.takes.begin());
        ++now_;
      } else if (dice_.chance(30)) {
        add(Verb::forward, {port}, dice_.below(3));
        if (sends_of_nothing()) program_.back().verb = Verb::send;
      } else {
        add(Verb::send, {port});
      }
      program_.back().blocks = draw_blocks(dice_);
    }
  }

  /// Whether the messages taken so far may be fewer than a forward goes back.
  bool sends_of_nothing() const {
    const auto takes = std::count_if(program_.begin(), program_.end(), [](const Operation& operation) {
      return operation.verb == Verb::message || operation.verb == Verb::any_message ||
             operation.verb == Verb::receive || operation.verb == Verb::exchange || operation.verb == Verb::poll;
    });
    return static_cast<std::uint64_t>(takes) <= program_.back().number;
  }

  /// Adds operations that move nothing.
  void decorate() {
    Program decorated;
    for (Operation& operation : program_) {
      while (dice_.chance(15)) decorated.push_back(draw_decoration());
      decorated.push_back(std::move(operation));
    }
    program_ = std::move(decorated);
  }

  Operation draw_decoration() {
    switch (dice_.below(7)) {
      case 0:
        return {.verb = Verb::look, .ports = {static_cast<Port>(dice_.below(4))}};
      case 1:
        return {.verb = Verb::look_around};
      case 2:
        return copy_or_arithmetic(dice_.below(50));
      case 3:
        return {.verb = Verb::hold, .number = dice_.below(1000)};
      case 4:
        return {.verb = Verb::until, .number = 0};
      case 5:
        return {.verb = Verb::fail, .catches = true};
      default:
        return {.verb = Verb::phase, .number = dice_.below(6)};
    }
  }

  /// Moves parts of the program into sub-programs; some of them end by an exception, which is caught.
  Program wrap(Program program, unsigned levels) {
    if (levels == 0) return program;
    Program wrapped;
    for (std::size_t next = 0; next < program.size();) {
      if (!dice_.chance(10)) {
        wrapped.push_back(std::move(program[next++]));
        continue;
      }
      const std::size_t length = std::min<std::size_t>(dice_.below(6), program.size() - next);
      Program body;
      for (; body.size() < length; ++next) body.push_back(std::move(program[next]));
      Operation call{.verb = Verb::call, .body = wrap(std::move(body), levels - 1)};
      if (dice_.chance(30)) {
        call.body.push_back({.verb = Verb::fail});
        call.catches = true;
      }
      wrapped.push_back(std::move(call));
    }
    return wrapped;
  }

  Dice& dice_;
  const Rules& rules_;
  ProcessorPlan part_;
  bool on_medium_;
  bool takes_any_ = false;
  bool drains_ = false;
  Cycle now_ = 0;
  Program program_;
};

std::vector<Program> tell(Dice& dice, const Rules& rules, std::vector<ProcessorPlan> parts, bool on_medium = false) {
  std::vector<Program> programs;
  for (ProcessorPlan& part : parts) programs.push_back(Telling(dice, rules, std::move(part), on_medium).draw());
  return programs;
}

/// Mostly one that the machine has.
Verb draw_verb(Dice& dice, bool memory) {
  if (memory && dice.chance(70)) return dice.one_of<Verb>({Verb::write, Verb::read});
  for (;;) {
    const auto verb =
        static_cast<Verb>(dice.below(static_cast<std::uint64_t>(Verb::call) + 1));  // a charge may become compute
    if (memory || (verb != Verb::write && verb != Verb::read) || dice.chance(20)) return verb;
  }
}

}  // namespace

std::vector<Program> draw_legal_programs(Dice& dice, const Wiring& wiring, const Rules& rules, Cycle cycles) {
  return tell(dice, rules, DrawnPlan(dice, wiring, rules).draw(cycles));
}

std::vector<Program> draw_legal_programs(Dice& dice, const Medium& medium, Rank processors, const Rules& rules,
                                         Cycle cycles) {
  if (medium.kind == Shared::memory) return tell(dice, rules, MemoryPlan(dice, medium, processors).draw(cycles), true);
  return tell(dice, rules, DrawnPlan(dice, wiring_by_rank(processors), rules, &medium).draw(cycles), true);
}

Operation draw_operation(Dice& dice, const Scenario& scenario) {
  const Port addresses = scenario.addresses();
  Operation operation;
  operation.verb = draw_verb(dice, scenario.on(Shared::memory));
  const bool several = operation.verb == Verb::multicast;
  const bool access = operation.verb == Verb::write || operation.verb == Verb::read;
  for (auto count = several ? dice.below(4) : access ? dice.between(1, 3) : 1; count > 0; --count) {
    // Now and then a port that does not exist.
    operation.ports.push_back(static_cast<Port>(dice.below(addresses + (dice.chance(5) ? 2 : addresses == 0 ? 1 : 0))));
  }
  operation.number = operation.verb == Verb::phase ? dice.below(6) : dice.below(20);
  if (operation.verb == Verb::charge) operation.verb = copy_or_arithmetic(operation.number).verb;
  operation.blocks = draw_blocks(dice);
  operation.catches = dice.chance(40);
  if (operation.verb == Verb::call) {
    for (auto count = dice.below(4); count > 0; --count) operation.body.push_back(draw_operation(dice, scenario));
  }
  return operation;
}

}  // namespace lockstep::reference
