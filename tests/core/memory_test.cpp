// Pools, large arrays, and machines that do not fit.
#include "lockstep/core/memory.hpp"

#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/core/detail/frame_pool.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/memory_limit.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::memory_test {
namespace {

using detail::FramePool;
using detail::LargeArray;

TEST(FramePool, GivesAlignedMemoryThatDoesNotOverlap) {
  FramePool pool;
  std::mt19937_64 random(7);
  struct Frame {
    unsigned char* memory;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<Frame> frames;
  for (int round = 0; round < 20'000; ++round) {
    if (frames.empty() || random() % 3 != 0) {
      // Mostly small frames, some too large for the free lists, some larger than a slab.
      const std::size_t most = round % 500 == 0 ? 200'000 : round % 50 == 0 ? 6000 : 600;
      const std::size_t bytes = 1 + random() % most;
      auto* memory = static_cast<unsigned char*>(pool.take(bytes));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % __STDCPP_DEFAULT_NEW_ALIGNMENT__, 0U);
      const auto mark = static_cast<unsigned char>(random());
      std::memset(memory, mark, bytes);
      frames.push_back({memory, bytes, mark});
    } else {
      std::swap(frames[random() % frames.size()], frames.back());
      const Frame frame = frames.back();
      frames.pop_back();
      for (std::size_t byte = 0; byte < frame.bytes; ++byte) ASSERT_EQ(frame.memory[byte], frame.mark);
      pool.give_back(frame.memory, frame.bytes, pool);
    }
    ASSERT_EQ(pool.outstanding(), static_cast<std::ptrdiff_t>(frames.size()));
  }
  for (const Frame& frame : frames) pool.give_back(frame.memory, frame.bytes, pool);
  EXPECT_EQ(pool.outstanding(), 0);
}

TEST(FramePool, UsesAFrameAgain) {
  FramePool pool;
  std::set<void*> seen;
  for (int round = 0; round < 1000; ++round) {
    void* frame = pool.take(200);
    seen.insert(frame);
    pool.give_back(frame, 200, pool);
  }
  EXPECT_EQ(FramePool::pooled ? seen.size() : 1U, 1U);
}

// A sub-program may begin on one worker and end on another, again and again.
TEST(FramePool, GetsItsFramesBackFromOtherPools) {
  FramePool home;
  FramePool other;
  std::set<void*> seen;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::pair<void*, std::size_t>> frames;
    for (const std::size_t bytes : {100U, 100U, 300U, 5000U}) frames.emplace_back(home.take(bytes), bytes);
    for (const auto& [frame, bytes] : frames) {
      if (bytes < 5000) seen.insert(frame);
      other.give_back(frame, bytes, home);
    }
    EXPECT_EQ(home.outstanding() + other.outstanding(), 0);
    other.send_home();
  }
  EXPECT_EQ(FramePool::pooled ? seen.size() : 3U, 3U);
}

TEST(LargeArray, HoldsElementsThatItsOwnerConstructs) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{3'000'000}}) {
    LargeArray<std::uint64_t> array(size);
    EXPECT_EQ(array.size(), size);
    array.construct(0, size / 2);
    array.construct(size / 2, size);
    for (std::size_t index = 0; index < size; ++index) ASSERT_EQ(array[index], 0U);
    if (size > 0) array[size - 1] = 5;
    LargeArray<std::uint64_t> moved(std::move(array));
    EXPECT_EQ(moved.size(), size);
    EXPECT_TRUE(size == 0 || moved[size - 1] == 5);
    LargeArray<std::uint64_t> assigned;
    assigned = std::move(moved);
    EXPECT_EQ(assigned.size(), size);
  }
}

TEST(LargeArray, ConstructsAndDestroysTheGivenRange) {
  LargeArray<runs::Counted> array(10);
  array.construct(2, 9);
  EXPECT_EQ(runs::Counted::alive, 7);
  array.destroy(2, 9);
  EXPECT_EQ(runs::Counted::alive, 0);
}

TEST(LargeArray, IsCacheLineAligned) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{10'000'000}}) {
    LargeArray<char> array(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
  }
}

TEST(LargeArray, RefusesSizesBeyondTheAddressSpace) {
  constexpr std::size_t most = ~std::size_t{0};
  EXPECT_THROW(LargeArray<std::uint64_t>{most}, std::bad_alloc);
  EXPECT_THROW(LargeArray<std::uint64_t>{most / 8 + 2}, std::bad_alloc);  // 8 * (most / 8 + 2) wraps around to 8
  EXPECT_THROW(LargeArray<char>{most}, std::bad_alloc);
  EXPECT_THROW(LargeArray<char>{most / 4}, std::bad_alloc);  // a number of bytes that fits into size_t
  EXPECT_THROW(detail::allocate_pages(most), std::bad_alloc);
  EXPECT_THROW(Topology("absurd", ~Rank{0}, ~Port{0}, [](Rank, Port) { return End{}; }), std::bad_alloc);
}

TEST(Memory, BytesAreNamedForPeople) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{5} << 20), "5.0 MiB");
  EXPECT_EQ(format_bytes((std::uint64_t{3} << 30) + (std::uint64_t{205} << 20)), "3.2 GiB");
  EXPECT_EQ(format_bytes(std::uint64_t{1} << 40), "1.0 TiB");
  EXPECT_EQ(format_bytes(std::uint64_t{1} << 50), "1.0 PiB");
  EXPECT_EQ(format_bytes(~std::uint64_t{0}), "16.0 EiB");
}

TEST(Memory, SomeIsAvailable) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
  EXPECT_LT(available_memory(), std::uint64_t{1} << 50);
}

TEST(Memory, AMachinesNeedGrowsWithItsProcessorsAndPorts) {
  using Small = Machine<Word>;
  constexpr std::uint64_t million = 1 << 20;
  for (const ChannelKind kind : runs::channel_kinds) {
    const auto bytes = [&](std::uint64_t processors, std::uint64_t ports, PortModel model) {
      return Small::bytes(processors, ports, model, kind);
    };
    const std::uint64_t a_processor = bytes(million, 0, PortModel::one) / million;
    const std::uint64_t an_end = (bytes(million, 20, PortModel::one) - bytes(million, 19, PortModel::one)) / million;
    EXPECT_GE(a_processor, 64U);
    // At least two places of a payload and its arrival, their states and the link's counters; hardly more.
    EXPECT_GE(an_end, 2 * 16U + 2 * 4U + 8U);
    EXPECT_LE(an_end, kind == ChannelKind::compact ? 48U : 160U);
    EXPECT_GT(bytes(1, 1, PortModel::all), bytes(1, 1, PortModel::one) - sizeof(double));
  }
  EXPECT_LT(Small::bytes(million, 20, PortModel::one), 1'400U * million);
  EXPECT_EQ(Small::bytes(million, 20, PortModel::one), Small::bytes(million, 20, PortModel::one, ChannelKind::compact));
  EXPECT_EQ(Small::bytes(1000, 10, PortModel::one), Small::bytes(1000, 10, PortModel::one, ChannelKind::lockfree));
  EXPECT_EQ(Topology::bytes(1000, 7), 1000U * 7U * sizeof(End));
}

struct Enormous {
  std::array<std::array<char, 1 << 20>, 64> content;  // 64 MiB
};
std::uint64_t words(const Enormous&) { return sizeof(Enormous) / 8; }

TEST(Memory, AMachineThatDoesNotFitIsRefusedBeforeAnythingIsAllocated) {
  // 2000 processors with 1999 ports and two places of 64 MiB on each: 537 TB, of which 32 MB are the topology.
  const Topology everybody = wirings::complete(2000);
  const std::uint64_t needed = Machine<Enormous>::bytes(2000, 1999, PortModel::all);
  ASSERT_GT(needed, std::uint64_t{480} << 40);
  try {
    const Machine<Enormous> machine(everybody, {.ports = PortModel::all});
    ADD_FAILURE() << "the machine was made";
  } catch (const MemoryError& error) {
    EXPECT_EQ(error.needed(), needed);
    EXPECT_LT(error.available(), needed);
    EXPECT_EQ(error.what(), "complete (port model all) needs " + format_bytes(needed) + " of memory, but only " +
                                format_bytes(error.available()) + " are available (" + memory_limit().name + ")");
  }
}

TEST(Memory, OfAMachineWithAMediumCountsPayloadsToo) {
  constexpr std::size_t processors = 1 << 20;
  // 2^20 inboxes of two places of 64 MiB: 137 TB; a memory keeps the two latest values of a slot a processor.
  for (const MediumKind kind : {MediumKind::bus, MediumKind::crossbar, MediumKind::memory}) {
    const Topology medium("medium", processors, Medium{kind, 1, nullptr});
    try {
      const Machine<Enormous> machine(medium);
      ADD_FAILURE() << "the machine was made";
    } catch (const MemoryError& error) {
      EXPECT_EQ(error.needed(), Machine<Enormous>::medium_bytes(processors, processors));
      EXPECT_GT(error.needed(), std::uint64_t{2} * sizeof(Enormous) * processors);
    }
  }
}

}  // namespace
}  // namespace lockstep::memory_test
