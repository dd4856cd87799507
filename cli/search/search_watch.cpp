#include "search_watch.hpp"

#include <algorithm>
#include <utility>

#include "host/interrupt.hpp"
#include "host/number_text.hpp"

namespace lockstep::cli::search {

SearchWatch::SearchWatch(const SearchArguments& arguments, const std::atomic<bool>& stop)
    : arguments_(arguments), stop_(stop) {
  if (!arguments.time_limit) return;
  end_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*arguments.time_limit));
}

void SearchWatch::has_something() {
  if (!std::exchange(has_something_, true)) host::begin_outputs();
}

void SearchWatch::begin(std::string label, std::uint64_t tries) {
  label_ = std::move(label);
  tries_ = tries;
}

bool SearchWatch::goes_on() {
  if (stop_) {
    cut_ = "interrupted";
  } else if (end_ && Clock::now() >= *end_) {
    cut_ = "out of time";
  }
  return !cut_;
}

bool SearchWatch::goes_on(const SynthesisProgress& progress) {
  if (progress.steps > 0) has_something();
  if (!arguments_.quiet && status_.is_due()) {
    const double part = static_cast<double>(progress.trees) / static_cast<double>(std::max<std::uint64_t>(1, tries_));
    std::string line = label_ + "  " + host::progress_bar(std::min(1.0, part)) + host::counted(progress.trees, "tree");
    const std::uint64_t halves = arguments_.operation == "allreduce" ? 2 : 1;
    if (progress.steps > 0) {
      line += ", so far " + host::counted(halves * progress.steps, "step") + ", " +
              host::counted(halves * progress.rounds, "round");
    }
    status_.show(line);
  }
  return goes_on();
}

std::chrono::seconds SearchWatch::time_left() const {
  if (!end_) return std::chrono::hours(24);
  const auto left = std::chrono::ceil<std::chrono::seconds>(*end_ - Clock::now());
  return std::max(left, std::chrono::seconds(1));
}

}  // namespace lockstep::cli::search
