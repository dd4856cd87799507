#include "run/program_visits.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "lockstep/core/process.hpp"
#include "run/programs.hpp"

namespace lockstep::detail {

namespace {

void settle_end(Worker& worker, Control& control) {
  ++worker.ended;
  if (const std::exception_ptr& exception = exception_of(control)) {
    worker.record({control.rank, ErrorKind::exception, {}, {}, exception});
  }
  destroy_program(control);
}

void resume(Worker& worker, Control& control) {
  control.worker = &worker;
  do {
    control.current.resume();
    if (control.waiting_link != nullptr || control.waiting > Waiting::ended) [[likely]]
      return;
  } while (control.waiting == Waiting::ready);  // a sub-program began or ended
  settle_end(worker, control);
}

bool is_due(Worker& worker, Control& control) {
  if (control.waiting == Waiting::cycle) return worker.stamp >= control.not_before;
  if (control.waiting == Waiting::ended) return false;
  control.worker = &worker;
  return worker.network->is_there(control);
}

}  // namespace

ProgramVisits::ProgramVisits(MachineParts& parts, Control* controls, bool is_observed, const RunOptions& options)
    : parts_(parts),
      clocks_(CostClocks::make(parts, is_observed, options)),
      controls_(controls),
      options_(options),
      scheduler_(parts.network().marks(), parts.ground.topology.processors(), parts.ground.division),
      ledger_(options.record_cycles),
      workers_(parts.executor.workers()),
      active_(workers_) {
  parts.ground.name = options.name;
  for (unsigned index = 0; index < workers_.size(); ++index) {
    Worker& worker = workers_[index];
    worker.network = clocks_ ? clocks_.get() : &parts.network();
    worker.phase_names = &ledger_.phase_names();
    worker.index = index;
    worker.is_observed = is_observed || clocks_;
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

ProgramVisits::~ProgramVisits() {
  for (Rank rank = 0; rank < processors(); ++rank) {
    if (is_here(rank)) destroy_program(controls_[rank]);
  }
  parts_.network().clear();
}

void ProgramVisits::start(const MachineCore::Start& start) {
  parts_.executor.for_ranges(processors(), [&](unsigned worker, std::size_t first, std::size_t last) {
    for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
      if (is_here(rank)) start_one(workers_[worker], rank, start);
    }
    set_visited(nullptr);
  });
}

void ProgramVisits::start_one(Worker& worker, Rank rank, const MachineCore::Start& start) {
  Control& control = controls_[rank];
  control.rank = rank;
  control.worker = &worker;
  if (clocks_) control.ready_time = CostClocks::everything;
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

std::vector<Rank> ProgramVisits::lost() const {
  std::vector<Rank> ranks;
  for (const auto& [cycle, rank] : std::span(losses_).first(next_loss_)) ranks.push_back(rank);
  return ranks;
}

void ProgramVisits::lose_processors(Cycle cycle) {
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

void ProgramVisits::visit(Worker& worker, std::span<const Visits> visits) {
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

void ProgramVisits::visit_all() {
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

}  // namespace lockstep::detail
