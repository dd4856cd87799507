#include "lockstep/algorithms/data.hpp"

namespace lockstep {

void generate_block(std::uint64_t seed, Rank origin, Rank destination, std::span<Word> block) {
  for (std::uint64_t index = 0; index < block.size(); ++index) {
    block[index] = generated_word(seed, origin, destination, index);
  }
}

Block generated_block(std::uint64_t seed, Rank origin, Rank destination, std::uint64_t size) {
  Block block(size);
  generate_block(seed, origin, destination, {block.data(), size});
  return block;
}

std::string short_text(Word random) {
  std::string text(1 + random % 4, 'a');
  for (char& letter : text) {
    random /= 26;
    letter = static_cast<char>('a' + random % 26);
  }
  return text;
}

}  // namespace lockstep
