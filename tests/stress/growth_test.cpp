// Many runs in one process: later runs keep no more memory than the first ones.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "../core/runs.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/topologies.hpp"

namespace {

std::atomic<std::int64_t> held{0};  // allocations not yet freed

}  // namespace

// Not inlined: g++ 12 would report its content as a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  held.fetch_add(1, std::memory_order_relaxed);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory != nullptr) held.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace lockstep::growth_test {
namespace {

/// One run with its own executor, and one with faults.
void run_once(const Method& method, const MachineSpec& spec, ExecutorKind kind) {
  const Topology topology = build(spec);
  const auto executor = make_executor(kind, 2);
  Settings settings;
  method.resolve(spec, method.defaults, settings);
  RunOptions options;
  options.name = method.name;
  const Faults faults{.processors = {{0, 1}}};
  EXPECT_EQ(method.run({spec, topology, method.defaults, settings, *executor, options}).wrong, "");
  try {
    method.run({.machine = spec,
                .topology = topology,
                .model = method.defaults,
                .settings = settings,
                .executor = *executor,
                .options = options,
                .faults = &faults});
  } catch (const RunError&) {
  }
}

TEST(Growth, ThereIsNoneInTenThousandRuns) {
  const std::vector<std::pair<std::string, std::string>> runs{{"broadcast/sbt", "hypercube:3"},
                                                              {"alltoall/product", "torus:3x3"},
                                                              {"allgather/direct", "shared:5,kstar=2"},
                                                              {"scatter/direct", "bus:4"},
                                                              {"sort/bitonic", "hypercube:3"}};
  const auto run_all = [&runs](std::uint64_t times) {
    for (std::uint64_t time = 0; time < times; ++time) {
      for (const auto& [name, machine] : runs) {
        const MachineSpec spec = parse_machine(machine);
        run_once(find_method(name, spec.family), spec,
                 time % 8 == 0 ? ExecutorKind::threads : ExecutorKind::sequential);
      }
    }
  };
  run_all(10);
  const std::int64_t before = held;
  run_all(runs::stressed(1000));
  EXPECT_EQ(held, before) << "allocations";
  std::cout << "held " << before << " allocations before " << runs::stressed(1000) * 2 * runs.size() << " runs, and "
            << held << " after them\n";
}

}  // namespace
}  // namespace lockstep::growth_test
