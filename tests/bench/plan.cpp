#include "plan.hpp"

#include <algorithm>
#include <functional>

#include "measurements.hpp"
#include "ratios.hpp"

namespace lockstep::bench {
namespace {

using BenchmarkPlan = std::vector<Benchmark>;
using Kernel = Timing (*)(unsigned size, unsigned threads);

void add(BenchmarkPlan& plan, const std::string& kernel_name, const std::string& contender, Kernel kernel,
         unsigned threads, unsigned size) {
  plan.push_back({benchmark_name(kernel_name, contender, threads, size), [=] { return kernel(size, threads); }});
}

/// Kernel E, with about as many messages at a time for every n.
void add_exchange(BenchmarkPlan& plan, const std::string& contender, Kernel kernel, unsigned threads, unsigned n) {
  constexpr unsigned messages = 1U << 21;
  add(plan, "E", contender, kernel, threads, n);
  plan.back().runs = std::clamp(messages / (n << n), 1U, 50U);
  plan.back().large = n > 18;
}

void add_companions(BenchmarkPlan& plan, unsigned n) {
  add_exchange(plan, "lockstep", exchange_lockstep, 2, n);
  add_exchange(plan, "lockstep", exchange_lockstep, 1, n);
  add_exchange(plan, "boost_fiber", exchange_boost_fiber, 2, n);
  add_exchange(plan, "boost_fiber_polling", exchange_boost_fiber_polling, 2, n);
  add_exchange(plan, "bare_coroutines", exchange_bare_coroutines, 2, n);
  add_exchange(plan, "plain_loop", exchange_plain_loop, 1, n);
}

void add_variants(BenchmarkPlan& plan, unsigned n) {
  add_exchange(plan, "lockstep", exchange_lockstep, 16, n);
  add_exchange(plan, "lockstep_items", exchange_items, 1, n);
  add_exchange(plan, "lockstep_observed", exchange_observed, 2, n);
}

void add_method(BenchmarkPlan& plan, const MethodSize& size) {
  plan.push_back({benchmark_name(size), [=] { return run_method(size, method_threads); }});
}

BenchmarkPlan everything() {
  BenchmarkPlan plan;
  for (unsigned n = smallest_n; n <= largest_n; ++n) add_companions(plan, n);
  for (const unsigned n : {10U, 16U}) add_variants(plan, n);
  for (const unsigned n : {10U, 16U, 20U}) add_exchange(plan, "lockstep_lockfree", exchange_lockfree, 2, n);
  add_exchange(plan, "lockstep_tabled", exchange_tabled, 2, largest_n);
  add(plan, "R", "lockstep", shift_on_ring, 2, 16);
  for (const unsigned n : {10U, 16U, 20U}) {
    add(plan, "S", "lockstep", token_on_ring, 2, n);
    add(plan, "broadcast", "lockstep", broadcast_sbt, 2, n);
    plan.back().runs = n == 10 ? 50 : 1;
  }
  add(plan, "alltoall", "lockstep", total_exchange_on_torus, 2, 32);
  add(plan, "B", "lockstep", allgather_adea, 2, 10);
  plan.back().large = true;
  add(plan, "B", "memcpy", allgather_memcpy, 2, 10);
  plan.back().large = true;
  for (const MethodSize& size : method_sizes()) add_method(plan, size);
  return plan;
}

BenchmarkPlan everything_tiny() {
  BenchmarkPlan plan;
  add_companions(plan, 4);
  add_variants(plan, 4);
  add_exchange(plan, "lockstep_lockfree", exchange_lockfree, 2, 4);
  add_exchange(plan, "lockstep_tabled", exchange_tabled, 2, 4);
  add(plan, "R", "lockstep", shift_on_ring, 2, 4);
  add(plan, "S", "lockstep", token_on_ring, 2, 4);
  add(plan, "broadcast", "lockstep", broadcast_sbt, 2, 4);
  add(plan, "alltoall", "lockstep", total_exchange_on_torus, 2, 4);
  add(plan, "B", "lockstep", allgather_adea, 2, 4);
  add(plan, "B", "memcpy", allgather_memcpy, 2, 4);
  for (Benchmark& benchmark : plan) benchmark.runs = 1;
  for (const MethodSize& size : method_sizes()) add_method(plan, on_a_small_machine(size));
  return plan;
}

bool in_a_ratio(const Benchmark& benchmark) {
  return std::any_of(ratios().begin(), ratios().end(), [&](const Ratio& ratio) {
    return ratio.above.benchmark == benchmark.name || ratio.below.benchmark == benchmark.name;
  });
}

}  // namespace

std::vector<Benchmark> benchmarks(Form form) {
  if (form == Form::tiny) return everything_tiny();
  BenchmarkPlan plan = everything();
  if (form != Form::all) std::erase_if(plan, std::not_fn(in_a_ratio));
  if (form == Form::quick) std::erase_if(plan, std::mem_fn(&Benchmark::large));
  return plan;
}

}  // namespace lockstep::bench
