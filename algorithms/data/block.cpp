#include "lockstep/algorithms/block.hpp"

#include <memory>

namespace lockstep {
namespace {

/// Precedes the words themselves where a block's number could be.
constexpr std::uint64_t not_yet = ~std::uint64_t{0};

Block words_from(ByteReader& from, std::uint64_t size) {
  from.require(size, sizeof(Word));
  Block block(size);
  from.get_all(std::span(block.data(), size));
  return block;
}

}  // namespace

void pack(const Block& block, ByteWriter& to) {
  to.put(block.size());
  SharedValues* const shared = to.shared();
  if (shared != nullptr && block.size() > Block::most_copied) {
    const auto number = shared->number(block.data(), block.size());
    to.put(number.value_or(not_yet));
    if (number) return;
    shared->add(block.data(), block.size(), std::make_shared<const Block>(block));
  }
  to.put_all(block.words());
}

Block unpack(ByteReader& from, std::type_identity<Block>) {
  const auto size = from.get<std::uint64_t>();
  SharedValues* const shared = from.shared();
  if (shared == nullptr || size <= Block::most_copied) return words_from(from, size);
  if (const auto number = from.get<std::uint64_t>(); number != not_yet) {
    return *static_cast<const Block*>(shared->value(number));
  }
  Block block = words_from(from, size);
  shared->add(std::make_shared<const Block>(block));
  return block;
}

}  // namespace lockstep
