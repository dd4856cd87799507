#include <mpi.h>

#include <algorithm>
#include <cstdlib>

#include "host/started_processes.hpp"

namespace lockstep {
namespace {

bool was_started_by_mpirun() {
  return std::ranges::any_of(variables_of_mpirun,
                             [](std::string_view variable) { return std::getenv(variable.data()) != nullptr; });
}

/// MPI counts by int, so long data is sent in parts of this many bytes; all but the last have the tag `more`.
constexpr std::size_t largest_part = std::size_t{1} << 30;
constexpr int last = 0;
constexpr int more = 1;

/// Reduces all numbers at once: the first ones to their sums, the others to their maxima. A leading number, equal in
/// all processes, gives how many are summed.
void add_or_choose(void* in, void* inout, int*, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const auto* const other = static_cast<const std::uint64_t*>(in);
  auto* const own = static_cast<std::uint64_t*>(inout);
  const std::size_t numbers = static_cast<std::size_t>(bytes) / sizeof *own;
  for (std::size_t index = 1; index < numbers; ++index) {
    own[index] = index <= own[0] ? own[index] + other[index] : std::max(own[index], other[index]);
  }
}

/// MPI ends all processes when a call fails, so no call returns an error.
class MpiProcesses final : public StartedProcesses {
 public:
  MpiProcesses() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    int count = 0;
    int own = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    count_ = static_cast<unsigned>(count);
    own_ = static_cast<unsigned>(own);
    MPI_Comm of_host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, own, MPI_INFO_NULL, &of_host);
    MPI_Comm_size(of_host, &count);
    MPI_Comm_free(&of_host);
    on_this_host_ = static_cast<unsigned>(count);
    MPI_Op_create(add_or_choose, 1, &add_or_choose_);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;
  ~MpiProcesses() override {
    MPI_Op_free(&add_or_choose_);
    MPI_Finalize();
  }

  unsigned count() const override { return count_; }
  unsigned own() const override { return own_; }
  unsigned on_this_host() const override { return on_this_host_; }

  std::vector<Bytes> exchange(std::span<const unsigned> others, std::vector<Bytes> outgoing) override {
    std::vector<MPI_Request> requests;
    for (std::size_t index = 0; index < others.size(); ++index) {
      begin_send(static_cast<int>(others[index]), outgoing[index], requests);
    }
    std::vector<Bytes> incoming(others.size());
    for (std::size_t index = 0; index < others.size(); ++index) {
      incoming[index] = receive(static_cast<int>(others[index]));
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return incoming;
  }

  void reduce(std::span<std::uint64_t> sums, std::span<std::uint64_t> maxima) override {
    std::vector<std::uint64_t> numbers{sums.size()};
    numbers.insert(numbers.end(), sums.begin(), sums.end());
    numbers.insert(numbers.end(), maxima.begin(), maxima.end());
    MPI_Datatype all = MPI_DATATYPE_NULL;  // one datatype, since the reduction depends on the places
    MPI_Type_contiguous(static_cast<int>(numbers.size()), MPI_UINT64_T, &all);
    MPI_Type_commit(&all);
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), 1, all, add_or_choose_, MPI_COMM_WORLD);
    MPI_Type_free(&all);
    auto number = numbers.begin() + 1;
    for (std::uint64_t& sum : sums) sum = *number++;
    for (std::uint64_t& most : maxima) most = *number++;
  }

  std::vector<Bytes> gather(Bytes given) override {
    std::vector<std::uint64_t> sizes(count_);
    sizes[own_] = given.size();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::vector<Bytes> all(count_);
    all[own_] = std::move(given);
    for (unsigned from = 0; from < count_; ++from) {
      all[from].resize(sizes[from]);
      for (std::size_t begin = 0; begin < sizes[from]; begin += largest_part) {
        const std::size_t bytes = std::min(largest_part, sizes[from] - begin);
        MPI_Bcast(all[from].data() + begin, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(from), MPI_COMM_WORLD);
      }
    }
    return all;
  }

  [[noreturn]] void end_all(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  static void begin_send(int to, const Bytes& bytes, std::vector<MPI_Request>& requests) {
    std::size_t begin = 0;
    do {
      const std::size_t part = std::min(largest_part, bytes.size() - begin);
      const int tag = begin + part == bytes.size() ? last : more;
      MPI_Isend(bytes.data() + begin, static_cast<int>(part), MPI_BYTE, to, tag, MPI_COMM_WORLD,
                &requests.emplace_back());
      begin += part;
    } while (begin < bytes.size());
  }

  static Bytes receive(int from) {
    Bytes bytes;
    int tag = more;
    while (tag == more) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      int part = 0;
      MPI_Get_count(&status, MPI_BYTE, &part);
      const std::size_t before = bytes.size();
      bytes.resize(before + static_cast<std::size_t>(part));
      MPI_Mrecv(bytes.data() + before, part, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      tag = status.MPI_TAG;
    }
    return bytes;
  }

  unsigned count_ = 1;
  unsigned own_ = 0;
  unsigned on_this_host_ = 1;
  MPI_Op add_or_choose_ = MPI_OP_NULL;
};

}  // namespace

std::unique_ptr<StartedProcesses> started_processes() {
  if (!was_started_by_mpirun()) return nullptr;
  return std::make_unique<MpiProcesses>();
}

}  // namespace lockstep
