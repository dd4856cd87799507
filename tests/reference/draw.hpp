#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "scenario.hpp"

// Random scenarios, drawn from a generator with a seed.
namespace lockstep::reference {

/// Draws of small numbers. The distributions of the standard library differ from one library to the next.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  /// Takes every draw from as many bytes as it needs, so that changing some bytes changes some draws; when they are
  /// used up, from a generator seeded by the last of them. The bytes must outlive this.
  explicit Dice(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    std::uint64_t seed = 0;
    for (const std::uint8_t byte : bytes.last(std::min<std::size_t>(bytes.size(), sizeof seed)))
      seed = seed << 8 | byte;
    random_.seed(seed);
  }

  std::uint64_t below(std::uint64_t limit) { return (bytes_.empty() ? random_() : next(limit)) % limit; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  /// A number from as many bytes as the limit needs, or as are left.
  std::uint64_t next(std::uint64_t limit) {
    std::uint64_t drawn = 0;
    std::uint64_t most = limit - 1;
    while (!bytes_.empty()) {
      drawn = drawn << 8 | bytes_.front();
      bytes_ = bytes_.subspan(1);
      most >>= 8;
      if (most == 0) break;
    }
    return drawn;
  }

  std::span<const std::uint8_t> bytes_{};
  std::mt19937_64 random_;
};

/// A wiring of the given number of processors: a random graph or one of a known shape, perhaps with gaps in the ports,
/// parallel links and processors without links.
Wiring draw_wiring(Dice& dice, Rank processors);
Rules draw_rules(Dice& dice);
/// With that probability, limits the ports that a processor uses in a cycle.
void limit_ports(Dice& dice, Rules& rules, unsigned percent);
Medium draw_medium(Dice& dice, Rank processors);
/// Rules of a machine with a medium.
Rules draw_medium_rules(Dice& dice);

/// Programs that keep the rules: all sends and takes, or writes and reads, are planned for the whole machine first,
/// then each program expresses its part in verbs of its own style.
std::vector<Program> draw_legal_programs(Dice& dice, const Wiring& wiring, const Rules& rules, Cycle cycles);
std::vector<Program> draw_legal_programs(Dice& dice, const Medium& medium, Rank processors, const Rules& rules,
                                         Cycle cycles);

/// Any operation, with or without sense.
Operation draw_operation(Dice& dice, const Scenario& scenario);

/// Makes the scenario likely to fail: other rules than it was planned for, operations added, repeated or left out,
/// limits of cycles, too many phases, and several failures in one cycle.
void spoil(Dice& dice, Scenario& scenario);

/// A scenario of a size from 0 to 100; at 100 it has up to 20 processors and, rarely, more than 64. About half of them
/// run without a failure.
Scenario draw_scenario(Dice& dice, int size);
/// The same on a bus, a memory, a crossbar or an Omega network.
Scenario draw_medium_scenario(Dice& dice, int size);
using Draw = Scenario (*)(Dice& dice, int size);

}  // namespace lockstep::reference
