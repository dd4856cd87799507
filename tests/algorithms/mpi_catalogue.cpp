// The whole catalogue on machines that are divided over the processes of mpirun: each process compares the result of a
// divided run with that of a run on its own. Exits with 1 if any differs.
#include <iostream>
#include <random>

#include "divided_case.hpp"
#include "host/started_processes.hpp"

int main() {
  using namespace lockstep;
  const auto processes = started_processes();
  if (processes == nullptr) {
    std::cerr << "mpi_catalogue is for mpirun\n";
    return 2;
  }
  const unsigned count = processes->count();
  std::mt19937 random(1);  // the same in all
  std::size_t runs = 0;
  bool is_wrong = false;
  for (const Case& each : divided_cases(64)) {
    const DividedCase one(each);
    std::vector<std::uint32_t> owners(one.processors());
    for (std::uint32_t& owner : owners) owner = static_cast<std::uint32_t>(random() % count);
    const Placement blocks(one.processors(), count);
    const Placement drawn(owners, count);
    for (const Settings& settings : one.variants()) {
      const Result alone = one.run(settings, nullptr);
      for (const Placement* placement : {&blocks, &drawn}) {
        const Division division{*processes, *placement};
        const Result divided = one.run(settings, &division);
        ++runs;
        if (are_equal(divided, alone) && divided.error.empty()) continue;
        is_wrong = true;
        std::cerr << "process " << processes->own() << ", " << each << ": " << divided << "\n  alone: " << alone
                  << '\n';
      }
    }
  }
  if (processes->own() == 0) std::cout << runs << " runs in " << count << " processes\n";
  return is_wrong || runs == 0 ? 1 : 0;
}
