#include "metis.hpp"

#include <metis.h>

#include <array>
#include <cstdio>
#include <limits>
#include <new>
#include <stdexcept>

#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

/// While there is one, what METIS says on standard error of a want of memory goes nowhere.
class SilentErrors {
 public:
  SilentErrors() : before_(stderr), nowhere_(std::fopen("/dev/null", "w")) {
    if (nowhere_ == nullptr) throw std::bad_alloc();
    stderr = nowhere_;
  }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;
  ~SilentErrors() {
    stderr = before_;
    std::fclose(nowhere_);
  }

 private:
  std::FILE* before_;
  std::FILE* nowhere_;
};

}  // namespace

std::vector<std::uint32_t> metis_owners(Rank processors, Port ports, const Wiring& wiring, unsigned processes) {
  if (std::uint64_t{processors} * ports > static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max())) {
    throw InputError("--partition metis is for machines of fewer ends of links than METIS can number, " +
                     std::to_string(std::numeric_limits<idx_t>::max()));
  }
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  first.reserve(std::size_t{processors} + 1);
  for (Rank rank = 0; rank < processors; ++rank) {
    for (Port port = 0; port < ports; ++port) {
      if (const End end = wiring(rank, port)) neighbours.push_back(static_cast<idx_t>(end.rank));
    }
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;  // the same in all processes
  auto vertices = static_cast<idx_t>(processors);
  auto parts = static_cast<idx_t>(processes);
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<idx_t> owners(processors);
  const SilentErrors silent;
  const int status = METIS_PartGraphKway(&vertices, &constraints, first.data(), neighbours.data(), nullptr, nullptr,
                                         nullptr, &parts, nullptr, nullptr, options.data(), &cut, owners.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  if (status != METIS_OK) throw std::runtime_error("METIS failed with status " + std::to_string(status));
  return {owners.begin(), owners.end()};
}

}  // namespace lockstep
