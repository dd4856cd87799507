#include "lockstep/core/detail/machine_core.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "cycle/diagnosis.hpp"
#include "cycle/rules.hpp"
#include "host/cores.hpp"
#include "lockstep/core/memory_limit.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/process.hpp"
#include "processes/divided_run.hpp"
#include "run/programs.hpp"

namespace lockstep::detail {

/// The parts of a machine.
struct MachineParts {
  Ground ground;
  Executor& executor;
  const std::size_t cores;  // of the host
  const ChannelKind channels;
  std::unique_ptr<LinkNetwork> links;     // null on a medium
  std::unique_ptr<MediumNetwork> medium;  // null on links

  Network& network() const {
    if (links != nullptr) return *links;
    return *medium;
  }
};

namespace {

std::uint64_t bytes_without_network(std::uint64_t processors) {
  constexpr std::uint64_t small_frame = 320;
  return processors * (sizeof(Control) + 2 + small_frame);
}

/// One run: the parts that live as long as it does, and the loop over its cycles.
class Run {
 public:
  Run(MachineParts& parts, Control* controls, const MachineCore::Show& show, const RunOptions& options)
      : parts_(parts),
        controls_(controls),
        show_(show),
        options_(options),
        scheduler_(parts.network().marks(), parts.ground.topology.processors(), parts.ground.division),
        ledger_(options.record_cycles),
        workers_(parts.executor.workers()),
        active_(workers_) {
    parts.ground.name = options.name;
    if (parts.ground.division != nullptr) {
      divided_.emplace(*parts.ground.division, parts.ground, parts.links.get(), parts.medium.get(), ledger_);
    }
    for (unsigned index = 0; index < workers_.size(); ++index) {
      Worker& worker = workers_[index];
      worker.network = &parts.network();
      worker.phase_names = &ledger_.phase_names();
      worker.index = index;
      worker.is_observed = static_cast<bool>(show);
      worker.ports = parts.ground.topology.ports();
      worker.begin(0);
    }
    parts.network().reset(parts.executor);
    if (PortTallies& tallies = parts.network().tallies(); !tallies.empty()) {
      parts.executor.for_ranges(processors(),
                                [&](unsigned, std::size_t first, std::size_t last) { tallies.clear(first, last); });
    }
    scheduler_.begin();
    if (!parts.ground.faults) return;
    for (const auto& [rank, from] : parts.ground.faults->processors()) losses_.emplace_back(from, rank);
    std::ranges::sort(losses_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  /// After any end of a run, no coroutine and no message outlives it.
  ~Run() {
    for (Rank rank = 0; rank < processors(); ++rank) {
      if (is_here(rank)) destroy_program(controls_[rank]);
    }
    parts_.network().clear();
  }

  void start(const MachineCore::Start& start) {
    parts_.executor.for_ranges(processors(), [&](unsigned worker, std::size_t first, std::size_t last) {
      for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
        if (is_here(rank)) start_one(workers_[worker], rank, start);
      }
      set_visited(nullptr);
    });
  }

  Report cycles() {
    if (divided_) settle();
    end_if_failed();  // a program that could not be made
    const Cycle limit = std::min(options_.max_cycles, last_cycle);
    for (Cycle cycle = 0; ledger_.ended() < processors(); cycle = next(cycle)) {
      if (cycle > limit) end_as_livelock(limit);
      begin_cycle(cycle);
      visit_all();
      end_cycle(cycle);
    }
    if (ledger_.in_channels() != 0) end_as_undelivered();
    Report report = ledger_.finish();
    add_maxima(workers_, report);
    for (const auto& [cycle, rank] : std::span(losses_).first(next_loss_)) report.lost.push_back(rank);
    if (parts_.links != nullptr) {
      report.time_asynchronous = std::max(report.time_asynchronous, parts_.links->latest_arrival());
      report.channels = parts_.channels;
    }
    if (divided_) divided_->settle(report);
    return report;
  }

 private:
  Rank processors() const { return parts_.ground.topology.processors(); }
  bool is_here(Rank rank) const { return lockstep::is_here(parts_.ground.division, rank); }
  Moves moves(bool crowded = false) {
    return {parts_.ground, parts_.links.get(), parts_.medium.get(), scheduler_, ledger_, controls_, active_, judged_,
            crowded};
  }

  void start_one(Worker& worker, Rank rank, const MachineCore::Start& start) {
    Control& control = controls_[rank];
    control.rank = rank;
    control.worker = &worker;
    try {
      set_visited(&control);
      control.current = start(rank);
      if (!control.current) throw std::logic_error("the program made no coroutine");
      if (control.last_send != 0 || worker.copied.latest == &control || worker.computed.latest == &control ||
          worker.scanned.latest == &control) {
        throw std::logic_error("a send, an access or a charge before the program has started");
      }
    } catch (...) {
      worker.record({rank, ErrorKind::exception, {}, {}, std::current_exception()});
    }
  }

  /// How many workers share this much work.
  std::size_t workers_for(std::uint64_t work) const {
    if (parts_.executor.one_by_one()) return workers_.size();
    if (work < options_.share_from) return 1;
    const std::size_t busy = work / std::max<std::size_t>(1, options_.oversubscribe_from);
    return std::min(workers_.size(), std::max(parts_.cores, busy));
  }

  /// The cycle in which the next processor fails, if it is one of the run.
  std::optional<Cycle> next_loss() const {
    if (next_loss_ == losses_.size()) return {};
    const Cycle cycle = losses_[next_loss_].first;
    return cycle <= std::min(options_.max_cycles, last_cycle) ? std::optional(cycle) : std::nullopt;
  }
  /// Stops the processors that fail when the cycle begins, or have failed since the one before.
  void lose_processors(Cycle cycle) {
    Worker& worker = workers_[0];
    for (; next_loss_ < losses_.size() && losses_[next_loss_].first <= cycle; ++next_loss_) {
      Control& control = controls_[losses_[next_loss_].second];
      worker.taken += parts_.network().lose(control.rank, worker.stamp);
      if (control.waiting_link == nullptr && control.waiting == Waiting::ended) continue;
      destroy_program(control);
      control.wait_for(Waiting::ended);
      scheduler_.forget(control.rank);
      ++worker.ended;
    }
  }

  void begin_cycle(Cycle cycle) {
    active_ = std::span(workers_).first(workers_for(scheduler_.to_visit() + ledger_.moved_words() / 16));
    for (Worker& worker : active_) {
      worker.begin(cycle);
      worker.collided = false;
      worker.copied.latest = worker.computed.latest = worker.scanned.latest = nullptr;
      worker.crossings.clear();
      worker.readers.clear();
      worker.phases_left.clear();
      worker.charges.clear();
    }
    lose_processors(cycle);
  }

  void visit_all() {
    const bool shared = active_.size() > 1;
    const bool one_by_one = parts_.executor.one_by_one();
    std::span<const Visits> visits = scheduler_.visits();
    if (one_by_one || (shared && visits.size() < 4 * active_.size())) visits = scheduler_.single_visits();
    if (!shared && !one_by_one) return visit(workers_[0], visits);
    const auto parts = static_cast<unsigned>(active_.size());
    parts_.executor.for_ranges(visits.size(), parts,
                               [this, visits](unsigned worker, std::size_t first, std::size_t last) {
                                 visit(workers_[worker], visits.subspan(first, last - first));
                               });
  }

  void visit(Worker& worker, std::span<const Visits> visits) {
    Control* const controls = controls_;
    const Stamp now = worker.stamp;
    MarkTree& marks = parts_.network().marks();
    for (const Visits& group : visits) {
      for_ranks(group, [&](Rank rank) {
        Control& control = controls[rank];
        if (const LinkHead* link = control.waiting_link; link != nullptr) [[likely]] {
          if (!has_arrived(link->first(), now)) return;
        } else if (!is_due(worker, control)) {
          return;
        }
        resume(worker, control);
      });
      if (worker.again != 0) marks.mark_again(group.group, std::exchange(worker.again, 0));
    }
    set_visited(nullptr);
  }

  static void resume(Worker& worker, Control& control) {
    control.worker = &worker;
    do {
      control.current.resume();
      if (control.waiting_link != nullptr || control.waiting > Waiting::ended) [[likely]]
        return;
    } while (control.waiting == Waiting::ready);  // a sub-program began or ended
    settle_end(worker, control);
  }

  static bool is_due(Worker& worker, Control& control) {
    if (control.waiting == Waiting::cycle) return worker.stamp >= control.not_before;
    if (control.waiting == Waiting::ended) return false;
    control.worker = &worker;
    return worker.network->is_there(control);
  }

  static void settle_end(Worker& worker, Control& control) {
    ++worker.ended;
    if (const std::exception_ptr& exception = exception_of(control)) {
      worker.record({control.rank, ErrorKind::exception, {}, {}, exception});
    }
    destroy_program(control);
  }

  void end_cycle(Cycle cycle) {
    for (Worker& worker : active_) {
      scheduler_.gather_sleepers(worker);
      worker.frames.send_home();
    }
    ledger_.gather(cycle, scheduler_.to_visit(), parts_.ground, active_);
    if (parts_.medium != nullptr) parts_.medium->end_cycle(active_);
    judged_ = divided_ ? divided_->exchange(active_, scheduler_.visits(), controls_, ledger_.moved()) : ledger_.moved();
    scheduler_.find_visits(cycle + 1);
    const bool crowded = settle_receipts();
    judge(moves(crowded));
    if (divided_) {
      report_progress(cycle);  // here, so that the callback can stop the run at this barrier
      settle();
    }
    ledger_.book(parts_.ground);
    if (show_ && !has_failed(moves())) show(cycle);
    end_if_failed();
    if (has_too_many_phases()) throw_too_many_phases(moves());
    if (ledger_.has_overflowed()) throw_count_overflow(moves());
    if (!divided_) report_progress(cycle);
    if (ledger_.ended() == processors()) return;
    if (divided_ ? divided_->outlook().stops : is_asked_to_stop()) throw_interrupted(moves());
  }

  /// Under k_ports(): returns whether a processor was sent more messages than it may receive.
  bool settle_receipts() {
    PortTallies& tallies = parts_.network().tallies();
    if (tallies.empty()) return false;
    bool crowded = false;
    if (divided_ && parts_.medium != nullptr) {  // every process keeps the clocks of all
      for (Rank rank = 0; rank < processors(); ++rank) crowded |= tallies.end_cycle(rank);
      return crowded;
    }
    for (const Visits& group : scheduler_.visits()) {
      for_ranks(group, [&](Rank rank) { crowded |= tallies.end_cycle(rank); });
    }
    return crowded;
  }

  void settle() {
    const Outlook own{.has_failed = has_failed(moves()),
                      .stops = is_asked_to_stop(),
                      .has_too_many_phases = ledger_.phase_names().too_many(),
                      .next = scheduler_.next(workers_[0].now)};
    divided_->settle(own, controls_, workers_[0].stamp);
  }

  void report_progress(Cycle cycle) const {
    if (options_.on_barrier) options_.on_barrier({cycle, ledger_.steps(), ledger_.messages()});
  }
  bool is_asked_to_stop() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }
  bool has_too_many_phases() {
    return divided_ ? divided_->outlook().has_too_many_phases : ledger_.phase_names().too_many();
  }

  void end_if_failed() {
    if (divided_) divided_->share_failure(workers_);
    throw_failure(moves());
  }
  [[noreturn]] void end_as_livelock(Cycle limit) {
    if (divided_) divided_->share_waits(controls_, parts_.network());
    throw_livelock(moves(), limit);
  }
  [[noreturn]] void end_as_deadlock() {
    if (divided_) divided_->share_waits(controls_, parts_.network());
    throw_deadlock(moves());
  }
  [[noreturn]] void end_as_undelivered() {
    if (parts_.links == nullptr) {
      const MediumNetwork::Undelivered first = parts_.medium->first_undelivered();
      throw_undelivered_on_medium(moves(), divided_ ? divided_->first(first) : first);
    }
    const LinkNetwork::Undelivered first = parts_.links->first_undelivered();
    throw_undelivered(moves(), divided_ ? divided_->first(first, *parts_.links) : first);
  }

  /// Shows the observer the charges and the messages of the cycle, if there are any.
  void show(Cycle cycle) {
    const std::vector<Charge> charges = charges_of_cycle();
    if (charges.empty() && ledger_.moved() == 0 && !holds_messages_) return;
    std::vector<Rank> senders;
    for (const Visits& group : scheduler_.visited()) {
      for_ranks(group, [&](Rank rank) {
        if (controls_[rank].last_send == workers_[0].stamp) senders.push_back(rank);
      });
    }
    std::vector<Sent> sent = parts_.network().sent(active_, senders, workers_[0].stamp);
    const std::vector<const PhaseLeft*> left = phases_left();
    for (Sent& message : sent) message.phase = ledger_.phase_names().name(phase_of(message, left));
    holds_messages_ = show_(cycle, charges, sent, parts_.network(), workers_[0]);
    const auto to_processors =
        std::count_if(sent.begin(), sent.end(), [](const Sent& message) { return message.to.rank != memory_rank; });
    ledger_.observed(static_cast<std::uint64_t>(to_processors), std::exchange(workers_[0].delivered, 0));
    scheduler_.find_more_visits();
  }

  /// Sorted by rank, then in the order of charging.
  std::vector<Charge> charges_of_cycle() const {
    std::vector<Charge> all;
    for (const Worker& worker : active_) all.insert(all.end(), worker.charges.begin(), worker.charges.end());
    std::ranges::stable_sort(all, {}, &Charge::rank);
    return all;
  }

  /// The phases left in this cycle, sorted by rank, then in the order of leaving.
  std::vector<const PhaseLeft*> phases_left() const {
    std::vector<const PhaseLeft*> all;
    for (const Worker& worker : active_) {
      for (const PhaseLeft& left : worker.phases_left) all.push_back(&left);
    }
    std::ranges::stable_sort(all, {}, &PhaseLeft::rank);
    return all;
  }

  /// The number of the phase in which a message of this cycle was sent.
  std::uint8_t phase_of(const Sent& message, const std::vector<const PhaseLeft*>& phases_left) const {
    const Rank rank = message.from == memory_rank ? message.to.rank : message.from;
    auto next = std::ranges::lower_bound(phases_left, rank, {}, &PhaseLeft::rank);
    for (; next != phases_left.end() && (*next)->rank == rank; ++next) {
      const PhaseLeft& left = **next;
      if (left.ports.empty() || std::ranges::count(left.ports, message.port) != 0) return left.phase;
    }
    return controls_[rank].phase;
  }

  Cycle next(Cycle cycle) {
    if (ledger_.ended() == processors()) return cycle + 1;
    std::optional<Cycle> next = divided_ ? divided_->outlook().next : scheduler_.next(cycle);
    if (holds_messages_) next = cycle + 1;
    if (const auto loss = next_loss(); loss && (!next || *loss < *next)) next = loss;
    if (!next) end_as_deadlock();
    if (*next > cycle + 1) scheduler_.find_visits(*next);  // all sleep
    return *next;
  }

  MachineParts& parts_;
  Control* const controls_;
  const MachineCore::Show& show_;
  const RunOptions& options_;
  Scheduler scheduler_;
  Ledger ledger_;
  std::vector<Worker> workers_;
  std::span<Worker> active_;                    // those that work in this cycle
  std::vector<std::pair<Cycle, Rank>> losses_;  // processors that fail, in their order
  std::size_t next_loss_ = 0;
  bool holds_messages_ = false;        // an observer
  std::uint64_t judged_ = 0;           // messages of this cycle that are judged here
  std::optional<DividedRun> divided_;  // over processes
};

/// Throws std::invalid_argument if the machine cannot be divided this way.
void check_division(const Topology& topology, const PayloadOperations& payload, const Division& division) {
  const std::string& machine = topology.name();
  if (payload.pack == nullptr) {
    throw std::invalid_argument(machine + " is divided over processes, but its messages cannot be packed");
  }
  if (division.placement.processes() != division.processes.count()) {
    throw std::invalid_argument(machine + " is divided over " + std::to_string(division.placement.processes()) +
                                " processes, of which there are " + std::to_string(division.processes.count()));
  }
}

void require_memory(const std::string& what_for, std::uint64_t bytes) {
  if (const auto limit = exceeded_limit(bytes)) throw MemoryError(what_for, bytes, limit->available);
}

std::unique_ptr<MachineParts> make_parts(const Topology& topology, const Model& model, Executor& executor,
                                         const PayloadOperations& payload, std::size_t capacity, const LinkType& links,
                                         const Division* division) {
  if (division != nullptr) check_division(topology, payload, *division);
  const bool on_medium = topology.medium().has_value();
  const bool holds_all = division == nullptr || on_medium;
  const Rank held = holds_all ? topology.processors() : division->placement.count(division->processes.own());
  const std::uint64_t needed = on_medium ? MachineCore::medium_bytes(held, held, model.ports, capacity, payload)
                                         : MachineCore::bytes(held, topology.ports(), model.ports, links.record_bytes);
  require_memory(topology.name() + " (port model " + name(model.ports) + ")", needed);
  if (on_medium && model.ports != PortModel::one && !(is_k_ports(model.ports) && topology.medium()->takes_k_ports())) {
    throw std::invalid_argument(topology.name() +
                                " has no ports: a processor sends and receives as under port model one");
  }
  if (!on_medium && model.ports == PortModel::ring && topology.ports() > 2) {
    throw std::invalid_argument(topology.name() + " has " + std::to_string(topology.ports()) +
                                " ports a processor; port model ring is for two");
  }
  auto parts = std::make_unique<MachineParts>(MachineParts{{topology, model, payload, capacity, {}, division, {}},
                                                           executor,
                                                           host_cores(),
                                                           links.channels,
                                                           nullptr,
                                                           nullptr});
  if (on_medium) {
    parts->medium = std::make_unique<MediumNetwork>(parts->ground);
  } else {
    parts->links = links.make(parts->ground);
  }
  return parts;
}

}  // namespace

MachineCore::MachineCore(const Topology& topology, const Model& model, Executor& executor,
                         const PayloadOperations& payload, std::size_t capacity, const LinkType& links,
                         const Division* division)
    : parts_(make_parts(topology, model, executor, payload, capacity, links, division)) {}

MachineCore::~MachineCore() = default;

void MachineCore::apply(const Faults& faults) {
  if (parts_->ground.division != nullptr)
    throw std::invalid_argument("a machine that is divided over processes cannot have faults");
  const Topology& topology = parts_->ground.topology;
  verify(faults, topology);
  if (!faults.empty() && parts_->links != nullptr) {
    require_memory(topology.name() + " with faults", LinkNetwork::bytes_of_faults(topology.slots()));
  }
  parts_->ground.faults.reset();
  if (!faults.empty()) parts_->ground.faults.emplace(faults);
  parts_->network().faults_changed();
}

std::uint64_t MachineCore::bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model,
                                 std::size_t record_bytes) {
  return bytes_without_network(processors) + LinkNetwork::bytes_of_clocks(processors, ports_model) +
         LinkNetwork::bytes(processors * ports, record_bytes);
}

std::uint64_t MachineCore::medium_bytes(std::uint64_t processors, std::uint64_t memory_slots, PortModel ports,
                                        std::size_t capacity, const PayloadOperations& payload) {
  return bytes_without_network(processors) + PortTallies::bytes(processors, ports) +
         MediumNetwork::bytes(processors, memory_slots, capacity * MediumNetwork::most_receipts(processors, ports),
                              payload);
}

void MachineCore::share(std::size_t slots) {
  if (parts_->medium != nullptr) parts_->medium->share(slots);
}

Report MachineCore::run(Control* controls, const Start& start, const Show& show, const RunOptions& options) {
  if (parts_->ground.division != nullptr && show) {
    throw std::invalid_argument(parts_->ground.topology.name() +
                                " is divided over processes, where no observer sees all of it");
  }
  const auto begin = std::chrono::steady_clock::now();
  Run run(*parts_, controls, show, options);
  run.start(start);
  const auto ready = std::chrono::steady_clock::now();
  Report report = run.cycles();
  const auto end = std::chrono::steady_clock::now();
  report.setup_seconds = std::chrono::duration<double>(ready - begin).count();
  report.run_seconds = std::chrono::duration<double>(end - ready).count();
  return report;
}

}  // namespace lockstep::detail
