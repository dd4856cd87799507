#include "demo_code.hpp"
#include "demo_run.hpp"
#include "host/table.hpp"

namespace lockstep::cli::learn {

std::string thread_digests(const std::atomic<bool>& stop) {
  const std::vector<std::string> run{"--machine", "hypercube:8", "--algorithm", "sort/bitonic", "--words", "16"};
  const std::vector<std::pair<std::string, std::vector<std::string>>> ways{
      {"1 thread", {"--threads", "1"}},
      {"2 threads", {"--threads", "2"}},
      {"16 threads", {"--threads", "16"}},
      {"schedule seed 1", {"--executor", "seeded", "--schedule-seed", "1"}},
      {"schedule seed 2", {"--executor", "seeded", "--schedule-seed", "2"}},
      {"schedule seed 3", {"--executor", "seeded", "--schedule-seed", "3"}}};
  host::Column how{"256 processors", true, {}}, digest{"digest", true, {}};
  for (const auto& [name, flags] : ways) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    how.cells.push_back(name);
    digest.cells.push_back(run_of(arguments, stop).digest);
  }
  return "Sorting 4,096 records, run six times:\n\n" + host::plain_table({how, digest});
}

}  // namespace lockstep::cli::learn
