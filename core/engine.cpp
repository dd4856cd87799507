#include "lockstep/core/engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace lockstep::detail {

namespace {

constexpr std::uint64_t all_ranks = ~std::uint64_t{0};

Stamp stamp_of(Cycle cycle) { return static_cast<Stamp>(cycle + 1); }

std::size_t check_memory(const Topology& topology, PortModel ports, std::uint64_t engine_bytes,
                         std::uint64_t channel_bytes) {
  const std::uint64_t needed = engine_bytes + channel_bytes;
  const std::uint64_t available = available_memory();
  if (needed > available) {
    throw MemoryError(topology.name() + " under --ports " + std::string(name(ports)), needed, available);
  }
  return topology.slots();
}

}  // namespace

namespace {

thread_local const Control* visited = nullptr;

}  // namespace

void set_visited(const Control* control) { visited = control; }

void check_visited(const Control& used) {
  if (visited == nullptr || visited == &used) return;
  throw std::logic_error("rank " + std::to_string(visited->rank) + " uses the Processor of rank " +
                         std::to_string(used.rank) + ": a program may use its own only");
}

void destroy_program(Control& control) {
  if (!control.current) return;
  // The outermost coroutine owns those that it awaits.
  auto program = Process::Handle::from_address(control.current.address());
  while (program.promise().awaiter()) {
    program = Process::Handle::from_address(program.promise().awaiter().address());
  }
  control.current = {};
  program.destroy();
}

std::uint64_t Engine::bytes(std::uint64_t processors, std::uint64_t ports, PortModel model, bool single_words) {
  constexpr std::uint64_t small_frame = 320;
  const std::uint64_t a_link_end =
      sizeof(Flow) + (single_words ? 0 : sizeof(std::uint64_t)) + (model == PortModel::all ? sizeof(double) : 0);
  const std::uint64_t a_processor = sizeof(Control) + 2 + sizeof(double) + small_frame;
  return processors * (a_processor + ports * a_link_end);
}

std::uint64_t Engine::medium_bytes(std::uint64_t processors, std::size_t capacity) {
  return bytes(processors, 0, PortModel::one, false) + Inboxes::bytes(processors, capacity);
}

Engine::Engine(const Topology& topology, const Model& model, Executor& executor, bool single_words,
               std::size_t capacity, std::uint64_t channel_bytes)
    : single_words_(single_words),
      topology_(topology),
      rank_count_(topology.processors()),
      ports_(topology.ports()),
      on_medium_(topology.medium().has_value()),
      message_waiting_(on_medium_ ? Waiting::message_of_peer : Waiting::message),
      ends_(topology.ends()),
      model_(model),
      executor_(executor),
      cores_(std::max(1U, std::thread::hardware_concurrency())),
      flows_(check_memory(topology, model.ports,
                          on_medium_ ? medium_bytes(topology.processors(), capacity)
                                     : bytes(topology.processors(), topology.ports(), model.ports, single_words),
                          channel_bytes)),
      link_words_(single_words ? 0 : topology.slots()),
      link_clock_(model.ports == PortModel::all ? topology.slots() : 0),
      receive_clock_(model.ports == PortModel::all ? 0 : topology.processors()),
      marks_(topology.processors()) {
  if (!on_medium_) return;
  if (model.ports != PortModel::one) {
    throw std::invalid_argument(topology.name() + " has no ports: a processor sends and receives as under --ports one");
  }
  if (topology.medium()->kind != MediumKind::memory) inboxes_ = Inboxes(topology.processors(), capacity);
}

void Engine::reset(const std::string& run_name) {
  name_ = run_name;
  workers_ = std::vector<Worker>(executor_.workers());
  for (unsigned index = 0; index < workers_.size(); ++index) {
    workers_[index].engine = this;
    workers_[index].index = index;
    workers_[index].stamp = stamp_of(0);
  }
  marks_ = MarkTree(topology_.processors());
  phases_.clear();
  phases_.emplace_back();
  for (auto& phase_name : phase_names_) phase_name.store(nullptr, std::memory_order_relaxed);
  phase_names_[0].store(&phases_[0].counts.name, std::memory_order_relaxed);
  too_many_phases_ = false;
  report_ = {};
  sleepers_.clear();
  medium_clock_ = 0;
  if (inboxes_.places() > 0) inboxes_.clear();
  moved_words_ = 0;
  in_channels_ = 0;
  ended_ = 0;
  // What an observer drops or adds changes the totals, but not what was sent.
  const bool link_words_are_totals = single_words_ && !observed_;
  if (!link_words_are_totals && link_words_.size() == 0) link_words_ = LargeArray<std::uint64_t>(topology_.slots());
  executor_.for_ranges(topology_.processors(), [&](unsigned, std::size_t first, std::size_t last) {
    for (Port port = 0; port < topology_.ports(); ++port) {
      const std::size_t from = topology_.slot(static_cast<Rank>(first), port);
      const std::size_t to = from + (last - first);
      flows_.construct(from, to);
      if (!link_words_are_totals) link_words_.construct(from, to);
      if (link_clock_.size() > 0) link_clock_.construct(from, to);
    }
    if (receive_clock_.size() > 0) receive_clock_.construct(first, last);
  });
}

Report Engine::run_cycles(const RunOptions& options) {
  const std::uint64_t processors = topology_.processors();
  active_ = workers_;
  // Whoever sent while a program was made has failed; what was sent is in the channels, to be cleared away.
  for (const Worker& worker : workers_) {
    for (const Tally& tally : worker.phases) in_channels_ += tally.messages;
  }
  throw_failure();  // of a program that could not be made
  visits_.clear();
  for (std::uint64_t rank = 0; rank < processors; rank += 64) {
    const std::uint64_t left = processors - rank;
    visits_.push_back({static_cast<std::uint32_t>(rank / 64), left < 64 ? ~(all_ranks << left) : all_ranks});
  }
  to_visit_ = processors;

  const Cycle limit = std::min(options.max_cycles, last_cycle);
  for (Cycle cycle = 0; ended_ < processors;) {
    if (cycle > limit) throw_livelock(limit);
    begin_cycle(cycle, options);
    visit_all();
    merge_counts(options);
    wake_sleepers(cycle + 1);
    find_visits();
    judge();
    if (observed_) redeliver(cycle);
    throw_failure();
    if (too_many_phases_) throw_too_many_phases();
    if (options.on_barrier) options.on_barrier({cycle, report_.steps, report_.messages});
    if (ended_ == processors) break;
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) throw_interrupted();

    ++cycle;
    if (visits_.empty()) {
      if (sleepers_.empty()) throw_deadlock();
      cycle = sleepers_.begin()->first;
      wake_sleepers(cycle);
      find_visits();
    }
  }
  if (in_channels_ != 0) throw_undelivered();
  finish_report();
  return std::move(report_);
}

std::size_t Engine::workers_for(std::uint64_t work, const RunOptions& options) const {
  if (executor_.one_by_one()) return workers_.size();
  if (work < options.share_from) return 1;
  const std::size_t busy = work / std::max<std::size_t>(1, options.oversubscribe_from);
  return std::min(workers_.size(), std::max(cores_, busy));
}

bool Engine::has_failed() const {
  return std::any_of(active_.begin(), active_.end(), [](const Worker& worker) { return worker.failure.has_value(); });
}

void Engine::begin_cycle(Cycle cycle, const RunOptions& options) {
  active_ = std::span(workers_).first(workers_for(to_visit_ + moved_words_ / 16, options));
  for (Worker& worker : active_) {
    worker.now = cycle;
    worker.stamp = stamp_of(cycle);
    worker.collided = false;
    worker.crossings.clear();
  }
}

void Engine::visit_all() {
  const bool shared = active_.size() > 1;
  if (executor_.one_by_one() || (shared && visits_.size() < 4 * active_.size())) split_visits();
  if (!shared && !executor_.one_by_one()) {
    visit(workers_[0], visits_);
  } else {
    const auto parts = static_cast<unsigned>(active_.size());
    executor_.for_ranges(visits_.size(), parts, [this](unsigned worker, std::size_t first, std::size_t last) {
      visit(workers_[worker], std::span(visits_).subspan(first, last - first));
    });
  }
}

void Engine::split_visits() {
  single_visits_.clear();
  for (const Visits& group : visits_) {
    for (std::uint64_t ranks = group.ranks; ranks != 0; ranks &= ranks - 1) {
      single_visits_.push_back({group.group, ranks & (~ranks + 1)});
    }
  }
  std::swap(visits_, single_visits_);
}

void Engine::settle_copies(Worker& worker) {
  worker.copied += worker.visit_copied;
  worker.most_copied = std::max(worker.most_copied, std::exchange(worker.visit_copied, 0));
}

void Engine::settle_end(Worker& worker, Control& control) {
  ++worker.ended;
  const auto program = Process::Handle::from_address(control.current.address());
  if (program.promise().exception()) {
    worker.record({control.rank, ErrorKind::exception, {}, {}, program.promise().exception()});
  }
  destroy_program(control);
}

void Engine::merge_counts(const RunOptions& options) {
  const Cycle cycle = workers_[0].now;
  moved_ = 0;
  delivered_ = 0;
  CycleCounts counts{.cycle = cycle};
  double dearest = 0;
  std::uint64_t most_copied = 0;
  for (Worker& worker : active_) {
    for (std::size_t index = 0; index < phases_.size(); ++index) {
      Tally& tally = worker.phases[index];
      if (tally.messages == 0) continue;
      if (single_words_) {
        tally.words = tally.messages;
        tally.longest = 1;
        dearest = model_.cost.time(1, 1);
      }
      Phase& in_phase = phases_[index];
      in_phase.counts.messages += tally.messages;
      in_phase.counts.words += tally.words;
      in_phase.longest = std::max(in_phase.longest, tally.longest);
      in_phase.moved = true;
      counts.messages += tally.messages;
      counts.words += tally.words;
      counts.longest = std::max(counts.longest, tally.longest);
      tally = {};
    }
    report_.sends -= std::exchange(worker.saved_sends, 0);
    report_.startups += std::exchange(worker.extra_startups, 0);
    report_.copied_words += std::exchange(worker.copied, 0);
    counts.visited += std::exchange(worker.visits, 0);
    delivered_ += std::exchange(worker.delivered, 0);
    in_channels_ -= std::exchange(worker.taken, 0);
    ended_ += std::exchange(worker.ended, 0);
    dearest = std::max(dearest, std::exchange(worker.dearest, 0));
    most_copied = std::max(most_copied, std::exchange(worker.most_copied, 0));
    worker.frames.send_home();
    merge_sleepers(worker);
  }
  for (Phase& in_phase : phases_) {
    if (!std::exchange(in_phase.moved, false)) continue;
    if (in_phase.counts.steps++ == 0) in_phase.first_step = cycle;
    in_phase.counts.longest_sum += std::exchange(in_phase.longest, 0);
  }
  moved_ = counts.messages;
  moved_words_ = counts.words;
  in_channels_ += on_medium_ ? delivered_ : moved_;
  report_.visits += counts.visited;
  report_.messages += counts.messages;
  report_.sends += counts.messages;
  report_.startups += counts.messages;
  report_.words += counts.words;
  report_.longest_sum += counts.longest;
  report_.time_synchronous += dearest + static_cast<double>(most_copied) * model_.cost.copy_cost;
  if (on_medium_ && topology_.medium()->kind != MediumKind::crossbar) {
    for (const Worker& worker : active_) medium_clock_ = std::max(medium_clock_, worker.latest_arrival);
  }
  if (moved_ != 0) {
    ++report_.steps;
    report_.cycles = cycle + 1;
  }
  if (options.record_cycles) report_.per_cycle.push_back(counts);
}

void Engine::find_visits() {
  visits_.clear();
  to_visit_ = 0;
  receivers_ = 0;
  marks_.drain([this](const MarkTree::Group& marked) {
    const std::uint64_t ranks = marked.received | marked.again;
    visits_.push_back({marked.index, ranks});
    to_visit_ += static_cast<std::uint64_t>(std::popcount(ranks));
    receivers_ += static_cast<std::uint64_t>(std::popcount(marked.received));
  });
}

void Engine::redeliver(Cycle cycle) {
  for (const Visits& group : visits_) {
    for (std::uint64_t ranks = group.ranks; ranks != 0; ranks &= ranks - 1) {
      marks_.mark_again(group.group * 64 + static_cast<Rank>(std::countr_zero(ranks)));
    }
  }
  deliver_observed(cycle);
  find_visits();
}

void Engine::retract(std::size_t inbound) {
  const Sent sent = flows_[inbound].sent.load(std::memory_order_relaxed);
  flows_[inbound].sent.store({sent.latest(), sent.total() - 1}, std::memory_order_relaxed);
  --in_channels_;
}

bool Engine::is_full(std::size_t inbound, std::size_t capacity) const {
  const Flow& flow = flows_[inbound];
  const auto sent = static_cast<Total>(flow.sent.load(std::memory_order_relaxed).total());
  return static_cast<Total>(sent - flow.taken.load(std::memory_order_relaxed).total) >= capacity;
}

Total Engine::book(std::size_t inbound, Rank receiver) {
  const Sent sent = flows_[inbound].sent.load(std::memory_order_relaxed);
  flows_[inbound].sent.store(sent.plus_one(workers_[0].stamp), std::memory_order_relaxed);
  ++in_channels_;
  marks_.mark_again(receiver);
  return static_cast<Total>(sent.total());
}

void Engine::sleep_until(Control& control, Cycle cycle) {
  // No run goes on past the last cycle, so later ones are all alike.
  control.worker->sleepers[std::min(cycle, last_cycle + 1)].push_back(control.rank);
  control.not_before = stamp_of(std::min(cycle, last_cycle));
}

void Engine::merge_sleepers(Worker& worker) {
  for (auto& [cycle, ranks] : worker.sleepers) {
    std::vector<Rank>& all = sleepers_[cycle];
    if (all.empty()) {
      all = std::move(ranks);
    } else {
      all.insert(all.end(), ranks.begin(), ranks.end());
    }
  }
  worker.sleepers.clear();
}

void Engine::wake_sleepers(Cycle cycle) {
  while (!sleepers_.empty() && sleepers_.begin()->first <= cycle) {
    for (const Rank rank : sleepers_.begin()->second) marks_.mark_again(rank);
    sleepers_.erase(sleepers_.begin());
  }
}

std::uint8_t Engine::phase(std::string_view phase_name) {
  // The index of the name if it is known; else the first free one, whose name is still a null pointer.
  const auto find = [&](std::size_t& index) {
    for (index = 0; index < Worker::most_phases; ++index) {
      const std::string* known = phase_names_[index].load(std::memory_order_acquire);  // pairs with the release below
      if (known == nullptr) return false;
      if (*known == phase_name) return true;
    }
    return false;
  };
  std::size_t index = 0;
  if (find(index)) return static_cast<std::uint8_t>(index);
  const std::scoped_lock lock(phases_mutex_);
  if (find(index)) return static_cast<std::uint8_t>(index);  // another worker was first
  if (index == Worker::most_phases) {
    // Whose name comes too late depends on the schedule, so the run ends at the barrier, not here.
    too_many_phases_ = true;
    return 0;
  }
  phases_.emplace_back().counts.name = phase_name;
  phase_names_[index].store(&phases_.back().counts.name, std::memory_order_release);
  return static_cast<std::uint8_t>(index);
}

void Engine::finish_report() {
  for (const Worker& worker : workers_) {
    report_.busiest_link_words = std::max(report_.busiest_link_words, worker.busiest_link_words);
    report_.peak_words_held = std::max(report_.peak_words_held, worker.peak_words_held);
    report_.time_asynchronous = std::max({report_.time_asynchronous, worker.latest_arrival, worker.latest_copy});
  }
  if (phases_.size() == 1) return;  // nobody named one
  std::sort(phases_.begin(), phases_.end(), [](const Phase& a, const Phase& b) {
    return std::pair(a.first_step, std::string_view(a.counts.name)) <
           std::pair(b.first_step, std::string_view(b.counts.name));
  });
  for (const Phase& in_phase : phases_) {
    if (in_phase.counts.messages > 0 || !in_phase.counts.name.empty()) report_.phases.push_back(in_phase.counts);
  }
}

}  // namespace lockstep::detail
