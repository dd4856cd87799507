#include "lockstep/core/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/memory_limit.hpp"

namespace lockstep {

std::uint64_t available_memory() { return memory_limit().available; }

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return text.data();
}

namespace detail {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t cache_line = 64;

bool is_large(std::size_t bytes) { return bytes >= 2 * huge_page; }

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (is_large(bytes)) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it all works, slower
    return memory;
  }
  const std::size_t rounded = (bytes / cache_line + 1) * cache_line;
  void* memory = std::aligned_alloc(cache_line, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return std::memset(memory, 0, rounded);
}

void free_pages(void* memory, std::size_t bytes) {
  if (is_large(bytes)) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace detail
}  // namespace lockstep
