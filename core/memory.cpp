#include "lockstep/core/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

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

void* allocate_pages(std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  constexpr std::size_t cache_line = 64;
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : cache_line;
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == huge_page) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: without it all works, slower
  return memory;
}

void free_pages(void* memory) { std::free(memory); }

}  // namespace detail
}  // namespace lockstep
