#include "processes/divided_run.hpp"

#include <stdexcept>
#include <string>

namespace lockstep::detail {

DividedRun::DividedRun(const Ground& ground, LinkNetwork* links, MediumNetwork* medium, Ledger& ledger)
    : processes_(ground.division->processes),
      division_{processes_, ground.division->placement},
      ground_(ground),
      medium_(medium),
      agreement_(division_, ledger) {
  if (links != nullptr) border_.emplace(division_, ground, *links);
  for (unsigned process = 0; process < processes_.count(); ++process) {
    if (process != processes_.own()) others_.push_back(process);
  }
}

std::uint64_t DividedRun::exchange(std::span<Worker> workers, std::span<const Visits> visited, Control* controls,
                                   std::uint64_t moved) {
  std::uint64_t judged = moved;
  if (border_) {
    border_->exchange(visited, controls, workers.front().stamp);
    judged += border_->came() - border_->left();
    return judged;
  }
  const Bytes own = medium_->pack_cycle(workers, visited, controls, moved);
  const std::vector<Bytes> received = processes_.exchange(others_, std::vector<Bytes>(others_.size(), own));
  for (std::size_t other = 0; other < received.size(); ++other) {
    judged += medium_->unpack_cycle(received[other], others_[other], workers.front(), controls);
  }
  return judged;
}

void DividedRun::settle(const Outlook& own, Control* controls, Stamp now) {
  outlook_ = own;
  outlook_.has_delays = border_ && border_->has_delays();
  outlook_.balance = border_ ? border_->balance() : 0;
  agreement_.settle(outlook_);
  if (outlook_.balance != 0) {
    throw std::runtime_error(ground_.name + ": data between processes was lost or duplicated by cycle " +
                             std::to_string(cycle_of(now)));
  }
  const bool ends = outlook_.has_failed || outlook_.stops || outlook_.has_too_many_phases;
  if (border_ && outlook_.has_delays && !ends) border_->settle_delays(controls, now);
}

void DividedRun::share_failure(std::span<Worker> workers) {
  if (outlook_.has_failed) agreement_.share_failure(workers);
}

void DividedRun::share_waits(Control* controls, const Network& network) {
  agreement_.share_waits(controls, ground_.topology.processors(), network);
}

LinkNetwork::Undelivered DividedRun::first(const LinkNetwork::Undelivered& own, const LinkNetwork& links) {
  return agreement_.first(own, links);
}

MediumNetwork::Undelivered DividedRun::first(const MediumNetwork::Undelivered& own) {
  MediumNetwork::Undelivered first = own;
  first.rank = agreement_.least(own.rank);
  return first;
}

void DividedRun::settle(Report& report) {
  report.wire = processes_.traffic();
  agreement_.settle(report);
}

}  // namespace lockstep::detail
