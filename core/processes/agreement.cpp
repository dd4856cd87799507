#include "processes/agreement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <new>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "processes/from_process.hpp"

namespace lockstep::detail {
namespace {

constexpr std::array sums_of_totals{&Totals::visited,     &Totals::messages,       &Totals::words,
                                    &Totals::saved_sends, &Totals::extra_startups, &Totals::delivered,
                                    &Totals::taken,       &Totals::ended,          &Totals::copied_words,
                                    &Totals::operations,  &Totals::scanned_blocks};
constexpr std::array maxima_of_totals{&Totals::longest, &Totals::most_copied, &Totals::most_computed,
                                      &Totals::most_scanned};
constexpr std::array maxima_of_report{&Report::busiest_link_words, &Report::busiest_link_messages,
                                      &Report::peak_words_held};

// Times are not negative, and the bits of such numbers compare as the numbers do.
std::uint64_t bits(double time) { return std::bit_cast<std::uint64_t>(time); }
double time_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// The kinds of exception that other processes distinguish.
enum class CauseKind : std::uint8_t { text, no_memory, foreign };

/// The exception's kind, and its text if it has no other kind.
void pack_cause(const std::exception_ptr& cause, ByteWriter to) {
  try {
    std::rethrow_exception(cause);
  } catch (const std::bad_alloc&) {
    to.put(CauseKind::no_memory);
  } catch (const std::exception& exception) {
    to.put(CauseKind::text);
    pack(std::string(exception.what()), to);
  } catch (...) {
    to.put(CauseKind::foreign);
  }
}

std::exception_ptr unpack_cause(ByteReader& from) {
  switch (from.get<CauseKind>()) {
    case CauseKind::text:
      return std::make_exception_ptr(std::runtime_error(unpack(from, std::type_identity<std::string>{})));
    case CauseKind::no_memory:
      return std::make_exception_ptr(std::bad_alloc());
    case CauseKind::foreign:
      break;
  }
  return std::make_exception_ptr(0);  // any type that is not a std::exception
}

Bytes bytes_of(const Failure& failure) {
  Bytes bytes;
  ByteWriter to(bytes);
  to.put(failure.rank);
  to.put(failure.kind);
  pack(failure.ports, to);
  if (failure.kind == ErrorKind::exception) {
    pack_cause(failure.cause, to);
  } else {
    pack(failure.rule, to);
  }
  return bytes;
}

Failure failure_of(const Bytes& bytes) {
  ByteReader from(bytes);
  Failure failure;
  failure.rank = from.get<Rank>();
  failure.kind = from.get<ErrorKind>();
  failure.ports = unpack(from, std::type_identity<std::vector<Port>>{});
  if (failure.kind != ErrorKind::exception) {
    failure.rule = unpack(from, std::type_identity<std::string>{});
  } else {
    failure.cause = unpack_cause(from);
  }
  return failure;
}

/// The wait of a processor, for other processes.
struct WaitOfRank {
  Rank rank;
  Port port;
  Stamp since;
  Stamp last_send;
  Waiting waiting;
};

}  // namespace

void Agreement::settle(Outlook& outlook) {
  Totals& totals = ledger_.totals();
  std::vector<std::uint64_t> sums;
  for (const auto member : sums_of_totals) sums.push_back(totals.*member);
  sums.push_back(outlook.balance);
  std::vector<std::uint64_t> maxima;
  for (const auto member : maxima_of_totals) maxima.push_back(totals.*member);
  // The earliest cycle is the one with the most time left until the end of all cycles; 0 means none.
  const std::uint64_t left = outlook.next ? ~*outlook.next : 0;
  const bool has_new_names = ledger_.phase_names().size() > numbers_.size();
  for (const std::uint64_t number :
       {bits(totals.costliest), left, std::uint64_t{outlook.has_failed}, std::uint64_t{outlook.has_delays},
        std::uint64_t{outlook.stops}, std::uint64_t{has_new_names}, std::uint64_t{outlook.has_too_many_phases}}) {
    maxima.push_back(number);
  }
  division_.processes.reduce(sums, maxima);
  auto sum = sums.begin();
  for (const auto member : sums_of_totals) totals.*member = *sum++;
  outlook.balance = *sum;
  auto most = maxima.begin();
  for (const auto member : maxima_of_totals) totals.*member = *most++;
  totals.costliest = time_of(*most++);
  const std::uint64_t most_left = *most++;
  outlook.next = most_left == 0 ? std::nullopt : std::optional<Cycle>(~most_left);
  outlook.has_failed = *most++ != 0;
  outlook.has_delays = *most++ != 0;
  outlook.stops = *most++ != 0;
  const bool any_has_new_names = *most++ != 0;
  if (outlook.next && *outlook.next <= totals.cycle) {
    throw std::runtime_error("another process continues in cycle " + std::to_string(*outlook.next) +
                             ", which has ended");
  }
  if (any_has_new_names) name_phases();
  if (ledger_.phase_names().size() > numbers_.size()) throw std::runtime_error("phase names were lost");
  outlook.has_too_many_phases = *most != 0 || names_.size() > Worker::most_phases;
  settle_phases(totals);
}

void Agreement::settle_phases(Totals& totals) {
  std::vector<PhaseTotals> own = std::exchange(totals.phases, std::vector<PhaseTotals>(names_.size()));
  if (names_.size() == 1) {  // all belongs to it
    totals.phases[0] = {totals.messages, totals.words, totals.longest};
    return;
  }
  std::vector<std::uint64_t> sums(2 * names_.size());
  std::vector<std::uint64_t> maxima(names_.size());
  for (std::size_t number = 0; number < own.size(); ++number) {
    const std::size_t agreed = numbers_[number];
    sums[2 * agreed] = own[number].messages;
    sums[2 * agreed + 1] = own[number].words;
    maxima[agreed] = own[number].longest;
  }
  division_.processes.reduce(sums, maxima);
  for (std::size_t number = 0; number < names_.size(); ++number) {
    totals.phases[number] = {sums[2 * number], sums[2 * number + 1], maxima[number]};
  }
}

void Agreement::name_phases() {
  const PhaseNames& own = ledger_.phase_names();
  Bytes given;
  ByteWriter to(given);
  for (std::size_t number = numbers_.size(); number < own.size(); ++number) pack(own.name(number), to);
  for (const Bytes& bytes : division_.processes.gather(std::move(given))) {
    for (ByteReader from(bytes); !from.at_end();) {
      std::string name = unpack(from, std::type_identity<std::string>{});
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    }
  }
  for (std::size_t number = numbers_.size(); number < own.size(); ++number) {
    const auto known = std::ranges::find(names_, own.name(number));
    if (known == names_.end()) throw std::runtime_error("phase names were lost");
    numbers_.push_back(static_cast<std::size_t>(known - names_.begin()));
  }
  ledger_.name_phases(names_);
}

void Agreement::settle(Report& report) {
  std::vector<std::uint64_t> maxima;
  for (const auto member : maxima_of_report) maxima.push_back(report.*member);
  maxima.push_back(bits(report.time_asynchronous));
  WireTraffic& wire = *report.wire;
  constexpr double nanosecond = 1e-9;
  std::array sums{wire.messages, wire.bytes, static_cast<std::uint64_t>(wire.wait_seconds / nanosecond),
                  static_cast<std::uint64_t>(wire.run_seconds / nanosecond)};
  division_.processes.reduce(sums, maxima);
  wire.messages = sums[0];
  wire.bytes = sums[1];
  wire.wait_seconds = static_cast<double>(sums[2]) * nanosecond;
  wire.run_seconds = static_cast<double>(sums[3]) * nanosecond;
  auto most = maxima.begin();
  for (const auto member : maxima_of_report) report.*member = *most++;
  report.time_asynchronous = time_of(*most);
}

void Agreement::share_failure(std::span<Worker> workers) {
  std::optional<Failure> first;
  for (const Worker& worker : workers) {
    if (worker.failure && (!first || worker.failure->before(*first))) first = worker.failure;
  }
  Bytes given;
  if (first) given = bytes_of(*first);
  const std::vector<Bytes> all = division_.processes.gather(std::move(given));
  for (unsigned process = 0; process < all.size(); ++process) {
    if (all[process].empty() || process == division_.processes.own()) continue;
    Failure other = failure_of(all[process]);
    check_from_process(other.kind >= ErrorKind::no_link && other.kind <= ErrorKind::invalid_schedule, process,
                       "an unknown kind of failure");
    if (!first || other.before(*first)) first = std::move(other);
  }
  workers.front().failure = std::move(first);
}

void Agreement::share_waits(Control* controls, Rank processors, const Network& network) {
  Bytes given;
  ByteWriter to(given);
  for (Rank rank = 0; rank < processors; ++rank) {
    Control& control = controls[rank];
    if (!division_.is_here(rank)) {
      control.rank = rank;
      control.wait_for(Waiting::ended);
    } else if (control.waiting != Waiting::ended || control.waiting_link != nullptr) {
      const Waiting waiting = control.waiting_link != nullptr ? Waiting::message : control.waiting;
      to.put(WaitOfRank{rank, control.waiting_port, control.waiting_since, control.last_send, waiting});
    }
  }
  const std::vector<Bytes> all = division_.processes.gather(std::move(given));
  for (unsigned process = 0; process < all.size(); ++process) {
    if (process == division_.processes.own()) continue;
    for (ByteReader from(all[process]); !from.at_end();) {
      const auto wait = from.get<WaitOfRank>();
      check_from_process(wait.rank < processors && division_.placement.owner(wait.rank) == process, process,
                         "a processor that is not its own");
      check_from_process(wait.waiting <= Waiting::values, process, "an unknown kind of wait");
      check_from_process(wait.waiting != Waiting::message || network.has_link(wait.rank, wait.port), process,
                         "a wait for a message where there is no link");
      Control& control = controls[wait.rank];
      control.wait_for(wait.waiting);
      control.waiting_port = wait.port;
      control.waiting_since = wait.since;
      control.last_send = wait.last_send;
    }
  }
}

Rank Agreement::least(Rank own) {
  std::uint64_t most = ~std::uint64_t{own};
  division_.processes.reduce({}, {&most, 1});
  return static_cast<Rank>(~most);
}

LinkNetwork::Undelivered Agreement::first(const LinkNetwork::Undelivered& own, const Network& network) {
  Bytes given;
  ByteWriter(given).put(own);
  LinkNetwork::Undelivered first = own;
  for (const Bytes& bytes : division_.processes.gather(std::move(given))) {
    const auto other = ByteReader(bytes).get<LinkNetwork::Undelivered>();
    const auto order = [](const LinkNetwork::Undelivered& one) { return std::tuple(one.sent, one.rank, one.port); };
    if (order(other) < order(first)) first = other;
  }
  if (first.rank >= network.topology().processors() || !network.has_link(first.rank, first.port)) {
    throw std::runtime_error("another process reports a message where there is no link, or none at all");
  }
  return first;
}

}  // namespace lockstep::detail
