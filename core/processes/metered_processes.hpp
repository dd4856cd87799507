#pragma once

#include <chrono>
#include <utility>

#include "lockstep/core/processes.hpp"
#include "lockstep/core/report.hpp"

namespace lockstep::detail {

/// Processes whose traffic is counted.
class MeteredProcesses final : public Processes {
 public:
  explicit MeteredProcesses(Processes& processes) : processes_(processes) {}

  unsigned count() const override { return processes_.count(); }
  unsigned own() const override { return processes_.own(); }
  std::vector<Bytes> exchange(std::span<const unsigned> others, std::vector<Bytes> outgoing) override {
    traffic_.messages += outgoing.size();
    for (const Bytes& bytes : outgoing) traffic_.bytes += bytes.size();
    const Wait wait(traffic_);
    return processes_.exchange(others, std::move(outgoing));
  }
  void reduce(std::span<std::uint64_t> sums, std::span<std::uint64_t> maxima) override {
    ++traffic_.agreements;
    const Wait wait(traffic_);
    processes_.reduce(sums, maxima);
  }
  std::vector<Bytes> gather(Bytes given) override {
    ++traffic_.agreements;
    const Wait wait(traffic_);
    return processes_.gather(std::move(given));
  }

  /// The traffic of this process since construction.
  WireTraffic traffic() const {
    WireTraffic traffic = traffic_;
    traffic.processes = count();
    traffic.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
    return traffic;
  }

 private:
  /// Adds its lifetime to the waiting time.
  class Wait {
   public:
    explicit Wait(WireTraffic& traffic) : traffic_(traffic) {}
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    ~Wait() {
      traffic_.wait_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
    }

   private:
    WireTraffic& traffic_;
    const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  };

  Processes& processes_;
  WireTraffic traffic_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep::detail
