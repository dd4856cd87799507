#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/model.hpp"

namespace lockstep {

std::string name(PortModel ports) {
  if (is_k_ports(ports)) return std::to_string(port_limit(ports));
  switch (ports) {
    case PortModel::one:
      return "one";
    case PortModel::one_strict:
      return "one-strict";
    case PortModel::all:
      return "all";
    case PortModel::ring:
      return "ring";
    case PortModel::two:
      break;
  }
  return "";
}

std::string_view name(Duplex duplex) {
  switch (duplex) {
    case Duplex::full:
      return "full";
    case Duplex::half_link:
      return "half-link";
    case Duplex::half_node:
      return "half-node";
  }
  return "";
}

std::string_view name(Switching switching) {
  switch (switching) {
    case Switching::store_and_forward:
      return "store-and-forward";
    case Switching::cut_through:
      return "cut-through";
    case Switching::circuit:
      return "circuit";
  }
  return "";
}

std::string_view name(StartupPer startup) { return startup == StartupPer::hop ? "hop" : "path"; }

std::string_view name(ChannelKind kind) { return kind == ChannelKind::lockfree ? "lockfree" : "compact"; }

std::string_view name(ExecutorKind kind) {
  switch (kind) {
    case ExecutorKind::tbb:
      return "tbb";
    case ExecutorKind::sequential:
      return "sequential";
    case ExecutorKind::seeded:
      return "seeded";
    case ExecutorKind::threads:
      return "threads";
  }
  return "";
}

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::no_link:
      return "no-link";
    case ErrorKind::link_down:
      return "link-down";
    case ErrorKind::send_limit:
      return "send-limit";
    case ErrorKind::overflow:
      return "overflow";
    case ErrorKind::receive_limit:
      return "receive-limit";
    case ErrorKind::one_strict:
      return "one-strict";
    case ErrorKind::half_link:
      return "half-link";
    case ErrorKind::half_node:
      return "half-node";
    case ErrorKind::medium_limit:
      return "medium-limit";
    case ErrorKind::blocked:
      return "blocked";
    case ErrorKind::write_conflict:
      return "write-conflict";
    case ErrorKind::bank_conflict:
      return "bank-conflict";
    case ErrorKind::nothing_arrived:
      return "nothing-arrived";
    case ErrorKind::exception:
      return "exception";
    case ErrorKind::deadlock:
      return "deadlock";
    case ErrorKind::livelock:
      return "livelock";
    case ErrorKind::undelivered:
      return "undelivered";
    case ErrorKind::too_many_phases:
      return "too-many-phases";
    case ErrorKind::count_overflow:
      return "count-overflow";
    case ErrorKind::interrupted:
      return "interrupted";
    case ErrorKind::invalid_schedule:
      return "invalid-schedule";
  }
  return "";
}

}  // namespace lockstep
