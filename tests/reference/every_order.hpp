#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "lockstep/core/executor.hpp"

namespace lockstep::reference {

/// Runs the work of every cycle on the calling thread in a chosen order, and run after run in all orders.
///
/// An order is a sequence of choices among the remaining items. A run repeats the choices that next() has prepared and
/// then takes the first remaining item; next() changes the last choice that can still be changed. So the runs walk
/// depth-first through the whole product of the orders of all cycles, each once.
class EveryOrder : public Executor {
 public:
  /// From now on, until next(), the work runs in a chosen order.
  void start() { choosing_ = true; }

  /// Prepares the next run; false if every order has been tried.
  bool next() {
    choosing_ = false;
    depth_ = 0;
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().among) choices_.pop_back();
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  void run(std::size_t count, unsigned, Body body, void* context) override {
    if (!choosing_) {
      if (count > 0) body(context, 0, 0, count);
      return;
    }
    std::vector<std::size_t> left(count);
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
      const auto next = left.begin() + static_cast<std::ptrdiff_t>(choose(left.size()));
      const std::size_t index = *next;
      left.erase(next);
      body(context, 0, index, index + 1);
    }
  }
  std::string_view name() const override { return "every order"; }
  bool one_by_one() const override { return true; }

 private:
  struct Choice {
    std::size_t taken;
    std::size_t among;
  };

  std::size_t choose(std::size_t among) {
    if (depth_ == choices_.size()) choices_.push_back({0, among});
    return choices_[depth_++].taken;
  }

  std::vector<Choice> choices_;
  std::size_t depth_ = 0;
  bool choosing_ = false;
};

}  // namespace lockstep::reference
