#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "host/status_line.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "search_command.hpp"

namespace lockstep::cli::search {

/// Ends a search when its time is over or the user interrupts, and shows on standard error how far it is.
class SearchWatch {
 public:
  SearchWatch(const SearchArguments& arguments, const std::atomic<bool>& stop);

  /// There is something that can be taken: from now on the first interrupt ends the search only.
  void has_something();
  /// A search begins; `label` names it, and it lays about `tries` trees.
  void begin(std::string label, std::uint64_t tries);
  /// Whether it goes on; SynthesisLimits::goes_on.
  bool goes_on(const SynthesisProgress& progress);
  /// Whether the next search may begin.
  bool goes_on();
  /// The time that is left, at least a second; a day without --time-limit.
  std::chrono::seconds time_left() const;
  /// Why a search ended early: "out of time", "interrupted"; none if none did.
  const std::optional<std::string>& cut() const { return cut_; }

 private:
  using Clock = std::chrono::steady_clock;

  const SearchArguments& arguments_;
  const std::atomic<bool>& stop_;
  std::optional<Clock::time_point> end_;
  host::StatusLine status_;
  std::string label_;
  std::uint64_t tries_ = 0;
  bool has_something_ = false;
  std::optional<std::string> cut_;
};

}  // namespace lockstep::cli::search
