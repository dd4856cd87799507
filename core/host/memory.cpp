#include "lockstep/core/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
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
/// Memory up to this size is written once when it is allocated, so that it is in the caches when the run begins.
constexpr std::size_t size_of_caches = std::size_t{32} << 20;

/// From half a huge page on, one huge page is cheaper than the small ones: the system clears it in the time in which
/// it hands out a dozen of them.
bool is_large(std::size_t bytes) { return bytes >= huge_page / 2; }

std::size_t in_huge_pages(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (!is_large(bytes)) {
    const std::size_t rounded = (bytes / cache_line + 1) * cache_line;
    void* memory = std::aligned_alloc(cache_line, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    return std::memset(memory, 0, rounded);
  }
  if (bytes > std::numeric_limits<std::ptrdiff_t>::max()) throw std::bad_alloc();
  // A huge page begins at a multiple of its size: memory mapped before the first multiple and after the last page is
  // unmapped.
  const std::size_t size = in_huge_pages(bytes);
  void* const mapped =
      mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) % huge_page;
  std::byte* const memory = static_cast<std::byte*>(mapped) + before;
  if (before > 0) munmap(mapped, before);
  munmap(memory + size, huge_page - before);
  madvise(memory, size, MADV_HUGEPAGE);  // a hint: without it everything works, but slower
  return size <= size_of_caches ? std::memset(memory, 0, bytes) : memory;
}

void free_pages(void* memory, std::size_t bytes) {
  if (is_large(bytes)) {
    munmap(memory, in_huge_pages(bytes));
  } else {
    std::free(memory);
  }
}

}  // namespace detail
}  // namespace lockstep
