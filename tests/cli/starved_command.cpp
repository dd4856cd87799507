// The command when memory runs out: `starved_command EVERY ARGUMENTS..` runs it in child processes, the first without
// its EVERY-th allocation, the second without its 2 EVERY-th, and so on, in whichever thread it occurs; each of the
// last allocations, which belong to the emulated machine's run and not to the command's start, is also refused once. If
// LOCKSTEP_STARVE_ON is set, a child is refused all allocations from that one on. A child must end with exit code 2 and
// one line, or, where the library can do without the memory, as usual. Prints the number of children, and those that
// ended otherwise, of which there should be none.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "lockstep/command/command.hpp"

namespace {

constexpr unsigned patience_seconds = 30;
constexpr std::uint64_t last_allocations = 600;  // each is refused once
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

/// The allocations of a child, shared with its parent; null before there is a child.
std::atomic<std::uint64_t>* allocations = nullptr;
std::uint64_t first_refused = 0;
std::uint64_t last_refused = 0;

bool is_refused() {
  if (allocations == nullptr) return false;
  const std::uint64_t number = allocations->fetch_add(1, std::memory_order_relaxed) + 1;
  return number >= first_refused && number <= last_refused;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (is_refused()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

/// The output of a child, as far as there is room, and its status.
struct Ending {
  std::array<char, 4096> text{};
  std::size_t size = 0;
  int status = 0;

  bool is_success() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
  bool is_one_line_and_code_2() const {
    return WIFEXITED(status) && WEXITSTATUS(status) == 2 && size > 0 && text[size - 1] == '\n' &&
           std::memchr(text.data(), '\n', size - 1) == nullptr && std::strncmp(text.data(), "lockstep: ", 10) == 0;
  }
};

/// Runs the command in a child that is refused these allocations.
Ending run_without(std::uint64_t first, std::uint64_t last, std::atomic<std::uint64_t>& counted, int argc,
                   char** argv) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  counted = 0;
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    alarm(patience_seconds);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    first_refused = first;
    last_refused = last;
    allocations = &counted;
    const int code = lockstep::command(argc, argv);
    allocations = nullptr;  // exit code allocates, too, and its exceptions are not caught
    std::exit(code);
  }
  close(ends[1]);
  Ending ending;
  std::array<char, 4096> piece{};
  for (ssize_t more = 0; (more = read(ends[0], piece.data(), piece.size())) > 0;) {
    const std::size_t kept = std::min(static_cast<std::size_t>(more), ending.text.size() - ending.size);
    std::memcpy(ending.text.data() + ending.size, piece.data(), kept);
    ending.size += kept;
  }
  close(ends[0]);
  waitpid(child, &ending.status, 0);
  return ending;
}

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::uint64_t every = std::strtoull(argv[1], nullptr, 10);
  if (every == 0) return 2;
  argv[1] = argv[0];
  void* const shared =
      mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) std::abort();
  auto& counted = *new (shared) std::atomic<std::uint64_t>;
  const bool goes_on = std::getenv("LOCKSTEP_STARVE_ON") != nullptr;
  if (const Ending whole = run_without(none, none, counted, argc - 1, argv + 1); !whole.is_success()) {
    std::fprintf(stderr, "with all its memory it ended so:\n%.*s\n", static_cast<int>(whole.size), whole.text.data());
    return 1;
  }
  const std::uint64_t total = counted;  // other children have a few more or fewer, if there are threads
  std::uint64_t refused = 0;
  std::uint64_t managed = 0;  // without the allocation
  std::uint64_t failures = 0;
  const std::uint64_t last_ones = total - std::min(total, last_allocations);
  for (std::uint64_t first = every;; first = first < last_ones ? std::min(first + every, last_ones) : first + 1) {
    const std::uint64_t last = goes_on ? none : first;
    const Ending ending = run_without(first, last, counted, argc - 1, argv + 1);
    const bool was_refused_some = counted >= first;
    refused += was_refused_some ? 1 : 0;
    managed += was_refused_some && ending.is_success() ? 1 : 0;
    if (!ending.is_success() && !(was_refused_some && ending.is_one_line_and_code_2()) && ++failures <= 20) {
      std::fprintf(stderr, "allocation %llu: %s %d\n%.*s\n", static_cast<unsigned long long>(first),
                   WIFEXITED(ending.status) ? "exit code" : "signal",
                   WIFEXITED(ending.status) ? WEXITSTATUS(ending.status) : WTERMSIG(ending.status),
                   static_cast<int>(ending.size), ending.text.data());
    }
    if (!was_refused_some) break;
  }
  std::printf("%llu allocations refused, %llu did without, %llu failures\n", static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(managed), static_cast<unsigned long long>(failures));
  return failures == 0 && refused > 0 ? 0 : 1;
}
