#include "method_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::bench::method_sizes_test {
namespace {

const Method& method_of(const MethodSize& size) {
  return find_method(size.method, parse_machine(std::string(size.machine)).family);
}

TEST(MethodSizes, AreThereForEveryMethodOfTheCatalogue) {
  const auto sizes = method_sizes();
  for (const Method* method : catalogue()) {
    EXPECT_TRUE(
        std::any_of(sizes.begin(), sizes.end(), [&](const MethodSize& size) { return &method_of(size) == method; }))
        << method->name << " on " << method->families.front();
  }
}

TEST(MethodSizes, HaveEveryMethodOnASmallMachineToo) {
  for (const MethodSize& size : method_sizes()) {
    const MethodSize small = on_a_small_machine(size);
    EXPECT_EQ(&method_of(small), &method_of(size)) << size.method;
    EXPECT_LE(parse_machine(std::string(small.machine)).processors, 4096U) << small.machine;
  }
}

TEST(MethodSizes, NameBenchmarksByMethodThreadsAndMachine) {
  EXPECT_EQ(benchmark_name({"broadcast/sbt", "hypercube:10", "--words 1"}), "broadcast/sbt/2/hypercube:10");
}

}  // namespace
}  // namespace lockstep::bench::method_sizes_test
