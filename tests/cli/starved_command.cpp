// The command where memory runs out, at every one of its allocations in turn: `starved_command EVERY ARGUMENTS..`. At
// every EVERY-th allocation the process forks. The child is refused that one, or, if LOCKSTEP_STARVE_ON is set, all
// from then on, and goes on to its end: with exit code 2 and one line, or, where the library can do without, as if
// nothing had happened. Prints how many children there were, and those that ended otherwise, of which there should be
// none.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "lockstep/command/command.hpp"

namespace {

constexpr unsigned patience_seconds = 30;

bool is_watching = false;  // this is the process that forks
bool is_starved = false;   // this is a child that is refused all allocations from now on
std::uint64_t every = 1;   // so many allocations
std::uint64_t allocations = 0;
std::uint64_t refused = 0;
std::uint64_t managed = 0;  // without the allocation
std::uint64_t failures = 0;

/// Whether these are a line of the command's.
bool is_one_line(const char* text, std::size_t size) {
  return size > 0 && text[size - 1] == '\n' && std::memchr(text, '\n', size - 1) == nullptr &&
         std::strncmp(text, "lockstep: ", 10) == 0;
}

void judge(int status, const char* text, std::size_t size) {
  ++refused;
  const bool has_exited = WIFEXITED(status);
  if (has_exited && WEXITSTATUS(status) == 0) {
    ++managed;
    return;
  }
  if (has_exited && WEXITSTATUS(status) == 2 && is_one_line(text, size)) return;
  if (++failures > 20) return;
  std::fprintf(stderr, "allocation %llu: %s %d\n%.*s\n", static_cast<unsigned long long>(allocations),
               has_exited ? "exit code" : "signal", has_exited ? WEXITSTATUS(status) : WTERMSIG(status),
               static_cast<int>(size), text);
}

/// In the child, whether the allocation fails; false in the parent, when the child has ended.
bool refuse() {
  if (is_starved) return true;
  if (!is_watching || ++allocations % every != 0) return false;
  is_watching = false;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    alarm(patience_seconds);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    is_starved = std::getenv("LOCKSTEP_STARVE_ON") != nullptr;
    return true;
  }
  if (child < 0) std::abort();
  close(ends[1]);
  static std::array<char, 4096> text;
  std::size_t size = 0;
  std::array<char, 4096> rest{};
  while (true) {
    const bool is_full = size == text.size();
    const ssize_t more =
        is_full ? read(ends[0], rest.data(), rest.size()) : read(ends[0], text.data() + size, text.size() - size);
    if (more <= 0) break;
    if (!is_full) size += static_cast<std::size_t>(more);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  judge(status, text.data(), size);
  is_watching = true;
  return false;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (refuse()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
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
  every = std::strtoull(argv[1], nullptr, 10);
  argv[1] = argv[0];
  is_watching = true;
  const int code = lockstep::command(argc - 1, argv + 1);
  const bool is_parent = is_watching;
  is_watching = false;
  if (!is_parent) return code;
  std::printf("%llu of %llu allocations refused, %llu did without, %llu failures\n",
              static_cast<unsigned long long>(refused), static_cast<unsigned long long>(allocations),
              static_cast<unsigned long long>(managed), static_cast<unsigned long long>(failures));
  return code == 0 && failures == 0 && refused > 0 ? 0 : 1;
}
