#include "lockstep/core/report.hpp"

#include <array>
#include <bit>
#include <cstdio>

namespace lockstep {

void Digest::add(double value) { add(std::bit_cast<std::uint64_t>(value)); }

void Digest::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (const char letter : text) add(std::uint64_t{static_cast<unsigned char>(letter)});
}

std::string Digest::text() const {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(state_));
  return digits.data();
}

std::uint64_t Report::digest() const {
  Digest digest;  // without busiest_link_messages, which is younger than digests that people have recorded
  for (const std::uint64_t count : {cycles, steps, messages, sends, words, longest_sum, startups, busiest_link_words,
                                    peak_words_held, copied_words}) {
    digest.add(count);
  }
  if (operations != 0) {  // few programs charge arithmetic, and a digest without it must not change
    digest.add(operations);
    digest.add(time_arithmetic);
  }
  if (scanned_blocks != 0) digest.add(scanned_blocks);  // likewise
  if (!lost.empty()) digest.add("lost");
  for (const Rank rank : lost) digest.add(std::uint64_t{rank});
  digest.add(time_synchronous);
  digest.add(time_asynchronous);
  for (const PhaseCounts& phase : phases) {
    digest.add(std::string_view(phase.name));
    for (const std::uint64_t count : {phase.steps, phase.messages, phase.words, phase.longest_sum}) digest.add(count);
  }
  return digest.value();
}

}  // namespace lockstep
