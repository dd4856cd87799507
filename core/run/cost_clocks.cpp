#include "run/cost_clocks.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "lockstep/core/error.hpp"
#include "lockstep/core/memory_limit.hpp"

namespace lockstep::detail {

namespace {

constexpr unsigned most_workers = 256;

/// The entries of a ring, of which each worker has one.
std::uint64_t ring_entries(std::uint64_t bytes, std::size_t models, unsigned workers) {
  return std::bit_floor(std::max<std::uint64_t>(2, bytes / workers / (models * sizeof(double))));
}

/// The bits of the number of entries in a chunk of about 64 KiB.
unsigned bits_of_chunk(std::uint64_t entries, std::size_t models) {
  const std::uint64_t fitting = std::max<std::uint64_t>(1, (std::uint64_t{64} << 10) / (models * sizeof(double)));
  return static_cast<unsigned>(std::bit_width(std::min(entries, fitting)) - 1);
}

bool stores_and_forwards(const CostModel& cost) {
  return cost.switching == Switching::store_and_forward && cost.startup == StartupPer::hop;
}

/// Throws std::invalid_argument unless a message has as many start-ups under all costs.
void check_costs(const CostModel& own, std::span<const CostModel> others) {
  for (const CostModel& other : others) {
    if (!stores_and_forwards(own) || !stores_and_forwards(other)) {
      throw std::invalid_argument("several costs in one run are for messages that are stored and forwarded");
    }
    if (other.max_packet_words != own.max_packet_words) {
      throw std::invalid_argument("several costs in one run have the same longest packet");
    }
  }
}

// By value, and with pointers that do not overlap: the compiler turns the loops over models into vector instructions.

double later_of(double one, double other) { return one < other ? other : one; }

void set_later(double* __restrict times, const double* __restrict others, std::size_t models) {
  for (std::size_t model = 0; model < models; ++model) times[model] = later_of(times[model], others[model]);
}

/// Books a transfer of data that is ready at those times, over ports whose clocks are `clock`, which it advances, and
/// `end`, which becomes its end.
void book_times(std::size_t models, double startups, double words, double slowness, const double* __restrict betas,
                const double* __restrict taus, const double* __restrict ready, double* __restrict costliest,
                double* __restrict latest, double* __restrict clock, double* __restrict end) {
  for (std::size_t model = 0; model < models; ++model) {
    const double time = startups * betas[model] + words * taus[model];
    costliest[model] = later_of(costliest[model], time);
    const double start = later_of(ready[model], later_of(clock[model], end[model]));
    const double ends = start + time * slowness;
    end[model] = ends;
    clock[model] = ends;
    latest[model] = later_of(latest[model], ends);
  }
}

}  // namespace

std::unique_ptr<CostClocks> CostClocks::make(MachineParts& parts, bool is_observed, const RunOptions& options) {
  if (options.other_costs.empty()) return nullptr;
  check_costs(parts.ground.model.cost, options.other_costs);
  const unsigned workers = parts.executor.workers();
  if (parts.links == nullptr || is_observed || parts.ground.division != nullptr || workers > most_workers) {
    return nullptr;
  }
  if (is_k_ports(parts.ground.model.ports)) return nullptr;
  std::vector<CostModel> costs{parts.ground.model.cost};
  costs.insert(costs.end(), options.other_costs.begin(), options.other_costs.end());
  const std::uint64_t entries = ring_entries(options.arrivals_bytes, costs.size(), workers);
  if (exceeded_limit(bytes(parts.ground, costs.size(), entries * workers))) return nullptr;
  return std::make_unique<CostClocks>(parts.ground, *parts.links, std::move(costs), workers, entries);
}

CostClocks::CostClocks(Ground& ground, LinkNetwork& links, std::vector<CostModel> costs, unsigned workers,
                       std::uint64_t entries)
    : Network(ground),
      links_(links),
      costs_(std::move(costs)),
      models_(costs_.size()),
      ranks_(ground.topology.processors()),
      one_port_(!sends_on_several_ports(ground.model.ports)),
      entries_(entries),
      chunk_bits_(bits_of_chunk(entries, models_)),
      clocks_of_one_(one_port_ ? 3 * models_ : models_),
      zeros_(models_),
      synchronous_(models_),
      arithmetic_(models_),
      kept_(workers),
      clocks_(ranks_ * clocks_of_one_),
      link_clocks_(one_port_ ? 0 : ground.topology.slots() * models_),
      arrivals_(ground.topology.slots() * ground.capacity) {
  for (const CostModel& cost : costs_) {
    betas_.push_back(cost.beta);
    taus_.push_back(cost.tau);
  }
  for (Kept& kept : kept_) {
    kept.ring.resize(entries_ >> chunk_bits_);
    kept.costliest.resize(models_);
    kept.latest.resize(models_);
  }
}

std::uint64_t CostClocks::bytes(const Ground& ground, std::size_t models, std::uint64_t entries) {
  const bool one_port = !sends_on_several_ports(ground.model.ports);
  const std::uint64_t ranks = ground.topology.processors();
  const std::uint64_t slots = ground.topology.slots();
  const std::uint64_t clocks = one_port ? 3 * ranks : ranks + slots;
  return ((clocks + entries) * models + slots * ground.capacity) * sizeof(double);
}

const double* CostClocks::times_of(Control& control, double arrival) {
  if (arrival == 0) return zeros_.data();
  const auto number = static_cast<std::uint64_t>(-arrival) - 1;
  const Kept& maker = kept_[number % most_workers];
  const std::uint64_t entry = number / most_workers;
  if (entry + entries_ / 2 < maker.cycle_first) {
    kept(control).has_forgotten = true;
    return zeros_.data();
  }
  return entry_of(maker, entry);
}

const double* CostClocks::data_times(Control& control, double data_time) {
  return data_time == everything ? ready(control.rank) : times_of(control, data_time);
}

double* CostClocks::new_times(Kept& kept, unsigned worker, double& number) {
  if (kept.next - kept.cycle_first == entries_ / 2) {
    kept.has_forgotten = true;
    kept.next = kept.cycle_first;
  }
  const std::uint64_t entry = kept.next++;
  number = -static_cast<double>(entry * most_workers + worker + 1);
  std::unique_ptr<double[]>& chunk = kept.ring[(entry & (entries_ - 1)) >> chunk_bits_];
  if (!chunk) chunk = std::make_unique_for_overwrite<double[]>(models_ << chunk_bits_);
  return entry_of(kept, entry);
}

CostClocks::Length CostClocks::length_since(const CountsBefore& before, const Control& control,
                                            std::size_t messages) const {
  if (ground_.payload.single_words) return {1, 1};
  const Worker& worker = *control.worker;
  const std::uint64_t words = worker.phases[control.phase].words - before.words;
  const std::uint64_t extra = worker.extra_startups - before.startups;
  if (messages == 1) return {static_cast<double>(extra + 1), static_cast<double>(words)};
  return {static_cast<double>(extra / messages + 1), static_cast<double>(words / messages)};
}

void CostClocks::book(Control& control, Port port, const double* data, Length length) {
  Kept& own = kept(control);
  const End to = topology().peer(control.rank, port);
  double& number = arrivals_[slot(to) * ground_.capacity + links_.latest_place(to)];
  double* const end = new_times(own, control.worker->index, number);
  double* const receives = one_port_ ? receive_clock(to.rank) : nullptr;
  if (one_port_) {  // two senders meet at one receiver only in a run that ends at this barrier
    for (std::size_t model = 0; model < models_; ++model) {
      end[model] = AtomicRef<double>(receives[model]).load(std::memory_order_relaxed);
    }
  } else {
    std::fill_n(end, models_, 0.0);
  }
  book_times(models_, length.startups, length.words, slowness(control.rank), betas_.data(), taus_.data(), data,
             own.costliest.data(), own.latest.data(), one_port_ ? send_clock(control.rank) : link_clock(to), end);
  if (!one_port_) return;
  for (std::size_t model = 0; model < models_; ++model) {
    AtomicRef<double>(receives[model]).store(end[model], std::memory_order_relaxed);
  }
}

void CostClocks::send(Control& control, Port port, Passed payload, double data_time) {
  const CountsBefore before(control);
  links_.send(control, port, payload, 0);
  book(control, port, data_times(control, data_time), length_since(before, control, 1));
}

void CostClocks::exchange(Control& control, Port port, Passed payload) {
  const CountsBefore before(control);
  links_.exchange(control, port, payload);
  book(control, port, ready(control.rank), length_since(before, control, 1));
}

void CostClocks::multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) {
  const CountsBefore before(control);
  links_.multicast(control, on, payload, 0);
  const Length length = length_since(before, control, on.size());
  const double* const data = data_times(control, data_time);
  if (!one_port_) {
    for (const Port port : on) book(control, port, data, length);
    return;
  }
  // All leave at once: each starts at the same send clock, which then moves on to the latest end.
  double* const sends = send_clock(control.rank);
  const std::vector<double> first(sends, sends + models_);
  std::vector<double> last = first;
  for (const Port port : on) {
    std::ranges::copy(first, sends);
    book(control, port, data, length);
    set_later(last.data(), sends, models_);
  }
  std::ranges::copy(last, sends);
}

Taken CostClocks::take(Control& control) {
  const std::size_t place = control.waiting_link->next_out / place_bytes;
  const double number = arrivals_[slot({control.rank, control.waiting_port}) * ground_.capacity + place];
  set_later(ready(control.rank), times_of(control, number), models_);
  return {links_.take(control).payload, number};
}

double CostClocks::later(Control& control, double one, double other) {
  if (one == 0 || one == other) return other;
  if (other == 0) return one;
  double number = 0;
  double* const times = new_times(kept(control), control.worker->index, number);
  std::copy_n(times_of(control, one), models_, times);
  set_later(times, times_of(control, other), models_);
  return number;
}

void CostClocks::charged(Control& control, double, std::uint64_t amount, double CostModel::*cost) {
  double* const times = ready(control.rank);
  std::vector<double>& latest = kept(control).latest;
  const double slower = slowness(control.rank);
  for (std::size_t model = 0; model < models_; ++model) {
    times[model] += static_cast<double>(amount) * (costs_[model].*cost) * slower;
    latest[model] = std::max(latest[model], times[model]);
  }
}

void CostClocks::book(const Totals& totals) {
  bool has_forgotten = false;
  std::vector<double> costliest(models_);
  for (Kept& kept : kept_) {
    set_later(costliest.data(), kept.costliest.data(), models_);
    std::ranges::fill(kept.costliest, 0.0);
    kept.cycle_first = kept.next;
    has_forgotten |= kept.has_forgotten;
  }
  if (has_forgotten) throw ArrivalsForgotten();
  for (std::size_t model = 0; model < models_; ++model) {
    synchronous_[model] += synchronous_time(totals, costs_[model], costliest[model]);
    arithmetic_[model] += arithmetic_time(totals, costs_[model]);
  }
}

void CostClocks::settle(Report& report) const {
  report.other_times.clear();
  for (std::size_t model = 0; model < models_; ++model) {
    ModelledTimes times{.synchronous = synchronous_[model], .asynchronous = 0, .arithmetic = arithmetic_[model]};
    for (const Kept& kept : kept_) times.asynchronous = std::max(times.asynchronous, kept.latest[model]);
    if (model == 0) {
      report.time_asynchronous = times.asynchronous;
    } else {
      report.other_times.push_back(times);
    }
  }
}

}  // namespace lockstep::detail
