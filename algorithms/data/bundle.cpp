#include "lockstep/algorithms/bundle.hpp"

#include <stdexcept>

namespace lockstep {

void Bundle::add(Bundle bundle) {
  if (empty()) {
    *this = std::move(bundle);
    return;
  }
  if (bundle.short_pieces_ > 0) {
    add_run(bundle.short_.begin(), bundle.short_.end(), bundle.short_pieces_, bundle.stride_);
  }
  long_.append(std::move(bundle.long_));
}

void Bundle::add_part(const Bundle& bundle, std::uint64_t index, std::uint64_t from, std::uint64_t size) {
  if (size <= most_short) return add(bundle[index].part(from, size));
  LabelledBlock part = bundle.long_[index - bundle.short_pieces_];
  part.first += from;
  part.block = part.block.part(from, size);
  add_long(std::move(part));
}

void pack(const Bundle& bundle, ByteWriter& to) {
  to.put(bundle.short_pieces_);
  to.put(bundle.stride_);
  to.put(bundle.short_.size());
  to.put_all(std::span(bundle.short_.data(), bundle.short_.size()));
  to.put(bundle.long_.size());
  for (const LabelledBlock& labelled : bundle.long_) pack(labelled, to);
}

Bundle unpack(ByteReader& from, std::type_identity<Bundle>) {
  Bundle bundle;
  bundle.short_pieces_ = from.get<std::uint32_t>();
  bundle.stride_ = from.get<std::uint32_t>();
  if (const std::size_t count = from.get_count(sizeof(Word)); count > 0) {
    from.get_all(std::span(bundle.short_.extend(count), count));
  }
  bundle.check_short();
  const auto count = from.get<std::uint64_t>();
  for (std::uint64_t index = 0; index < count; ++index) {
    bundle.add_long(unpack(from, std::type_identity<LabelledBlock>{}));
  }
  return bundle;
}

void Bundle::check_short() const {
  const auto require = [](bool holds) {
    if (!holds) throw std::out_of_range("received pieces that are longer or fewer than stated");
  };
  const Word* at = short_.begin();
  for (std::uint32_t piece = 0; piece < short_pieces_; ++piece) {
    const auto left = static_cast<std::uint64_t>(short_.end() - at);
    require(left >= label_words && length_at(at) <= left);
    require(length_at(at) - label_words <= most_short && (stride_ == 0 || length_at(at) == stride_));
    at += length_at(at);
  }
  require(at == short_.end());
}

void corrupt(Bundle& bundle) {
  const bool is_shared = bundle.short_.is_shared() || bundle.long_.is_shared();
  const std::uint64_t middle = bundle.size() / 2;
  for (std::uint64_t index = 0; index < bundle.size(); ++index) {
    const std::uint64_t size = bundle[index].block.size();
    if (size == 0 || !(is_shared || index == middle)) continue;
    if (index < bundle.short_pieces_) {
      const std::uint64_t place = bundle.place_of(index) + Bundle::label_words + size / 2;
      Word& word = bundle.short_.edit()[place];
      word = ~word;
    } else {
      corrupt(bundle.long_.edit()[index - bundle.short_pieces_]);
    }
  }
}

void check_only_piece(const Bundle& bundle, Rank origin, Rank destination) {
  if (bundle.size() != 1) throw std::logic_error("received a bundle that does not hold exactly one block");
  const Piece piece = bundle[0];
  if (piece.origin != origin || piece.destination != destination) throw std::logic_error("another block than planned");
}

}  // namespace lockstep
