#include "graphs/metis.hpp"

#include <fcntl.h>
#include <metis.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>

#include "lockstep/machines/input_error.hpp"

namespace lockstep {
namespace {

/// Numbers that a child writes and its parent reads.
class SharedNumbers {
 public:
  explicit SharedNumbers(std::size_t count) : bytes_(std::max<std::size_t>(count, 1) * sizeof(idx_t)) {
    void* const place = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<idx_t*>(place);
  }
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;
  ~SharedNumbers() { munmap(data_, bytes_); }

  idx_t* data() const { return data_; }

 private:
  std::size_t bytes_;
  idx_t* data_ = nullptr;
};

/// Calls METIS in a child process and returns its status. Without memory METIS writes to standard error, and at SIGTERM
/// it jumps out of the current function, which may be malloc: neither may happen in this process.
int in_child(const std::function<int()>& call_metis) {
  const pid_t child = fork();
  if (child < 0) throw InputError(std::string("cannot start a process for METIS: ") + std::strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t all_but_abort;  // which METIS sends itself
    sigfillset(&all_but_abort);
    sigdelset(&all_but_abort, SIGABRT);
    sigprocmask(SIG_SETMASK, &all_but_abort, nullptr);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    const int status = call_metis();
    _exit(status == METIS_OK ? 0 : -status);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return METIS_ERROR_MEMORY;  // the system ends a process that takes too much with SIGKILL
  return WEXITSTATUS(status) == 0 ? METIS_OK : -WEXITSTATUS(status);
}

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
  const SharedNumbers owners(processors);
  const int status = in_child([&] {
    return METIS_PartGraphKway(&vertices, &constraints, first.data(), neighbours.data(), nullptr, nullptr, nullptr,
                               &parts, nullptr, nullptr, options.data(), &cut, owners.data());
  });
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  if (status != METIS_OK) throw std::runtime_error("METIS failed with status " + std::to_string(status));
  return {owners.data(), owners.data() + processors};
}

}  // namespace lockstep
