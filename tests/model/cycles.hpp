#pragma once

#include <array>
#include <cstddef>

#include "host/gate.hpp"
#include "model.hpp"

namespace lockstep::model {

/// The cycles of a run between the barriers of the core's gate: in each cycle every thread works as one worker, and
/// between them only the first accesses memory. The others begin at a signal that orders nothing, so that the core does
/// not rely on oneTBB's own order; the gate is open by then.
class Cycles : public Scenario {
 public:
  Cycles(unsigned workers, unsigned cycles) : workers_(workers), cycles_(cycles) {}

  void thread(unsigned index) final {
    for (unsigned cycle = 0; cycle < cycles_; ++cycle) {
      if (index == 0) {
        run(cycle);
      } else {
        begin_[index].await();
        find_latest_in_next_load();
        gate_.run_part(index);
      }
    }
  }

 protected:
  /// The work of a worker in a cycle.
  virtual void work(unsigned worker, unsigned cycle) = 0;
  /// Run before and after each cycle.
  virtual void begin(unsigned) {}
  virtual void barrier(unsigned) {}

  /// A fault: the barrier does not wait for the last part.
  void wait_for_one_part_less() { awaited_ = workers_ - 1; }

 private:
  void run(unsigned cycle) {
    cycle_ = cycle;
    begin(cycle);
    gate_.open(
        workers_, workers_,
        [](void* self, unsigned worker, std::size_t first, std::size_t last) {
          expect(first == worker && last == first + 1, "a part has a wrong share");
          auto& cycles = *static_cast<Cycles*>(self);
          cycles.work(worker, cycles.cycle_);
        },
        this);
    for (unsigned part = 1; part < workers_; ++part) begin_[part].raise();
    gate_.run_part(0);
    gate_.wait_for_parts(awaited_);
    barrier(cycle);
  }

  const unsigned workers_;
  const unsigned cycles_;
  unsigned awaited_ = workers_;
  detail::Gate gate_;
  detail::Owned<unsigned> cycle_ = 0;
  std::array<Signal, 3> begin_;
};

}  // namespace lockstep::model
