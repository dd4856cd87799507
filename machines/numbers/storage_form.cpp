#include "lockstep/machines/storage_form.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "lockstep/machines/gray_code.hpp"

namespace lockstep {
namespace {

constexpr unsigned most_address_bits = 62;
constexpr unsigned most_dimensions = 31;

bool parity(std::uint64_t bits) { return std::popcount(bits) % 2 != 0; }

/// The address bits `lowest` + (highest .. highest-count+1).
std::vector<unsigned> descending(unsigned lowest, unsigned highest, unsigned count) {
  std::vector<unsigned> bits;
  for (unsigned index = 0; index < count; ++index) bits.push_back(lowest + highest - index);
  return bits;
}

std::string bits_text(unsigned count) { return std::to_string(count) + (count == 1 ? " bit" : " bits"); }

/// Fields of a number of `size` bits whose bit 0 is address bit `lowest`.
std::vector<StorageForm::Field> fields_of(const std::string& whose, unsigned size, unsigned lowest,
                                          const Partition& partition, unsigned width) {
  if (width > size) {
    throw std::invalid_argument(whose + " numbers of " + bits_text(size) + " cannot fill " + bits_text(width) +
                                " of a processor's number");
  }
  const unsigned place = partition.place;
  switch (partition.scheme) {
    case Partition::Scheme::consecutive:
      return {{descending(lowest, size - 1, width), partition.gray}};
    case Partition::Scheme::cyclic:
      return {{descending(lowest, width - 1, width), partition.gray}};
    case Partition::Scheme::combined:
      if (place < 1 || place > size - width + 1) {
        throw std::invalid_argument("combined=" + std::to_string(place) + " does not fit: for " + bits_text(width) +
                                    " of " + std::to_string(size) + " it is 1 to " + std::to_string(size - width + 1));
      }
      return {{descending(lowest, size - place, width), partition.gray}};
    case Partition::Scheme::split:
      break;
  }
  if (place < 1 || place >= width) {
    throw std::invalid_argument("split=" + std::to_string(place) + " does not fit: " +
                                (width < 2 ? "it takes at least 2 bits of a processor's number"
                                           : "for " + bits_text(width) + " it is 1 to " + std::to_string(width - 1)));
  }
  return {{descending(lowest, size - 1, place), partition.gray},
          {descending(lowest, width - place - 1, width - place), partition.gray}};
}

}  // namespace

std::string address_bit_name(const MatrixShape& shape, unsigned bit) {
  const bool of_row = bit >= shape.column_bits;
  std::string name(1, of_row ? 'u' : 'v');
  return name += std::to_string(of_row ? bit - shape.column_bits : bit);
}

StorageForm::StorageForm(const MatrixShape& shape, std::vector<Field> fields)
    : shape_(shape), fields_(std::move(fields)) {
  const unsigned all = shape.address_bits();
  if (all > most_address_bits) throw std::invalid_argument("a matrix has at most 62 address bits");
  for (const Field& field : fields_) {
    for (const unsigned bit : field.bits) {
      if (bit >= all) {
        throw std::invalid_argument("there is no address bit " + std::to_string(bit) + " in a matrix of " +
                                    bits_text(all));
      }
      if ((real_bits_ >> bit & 1U) != 0) {
        throw std::invalid_argument("address bit " + address_bit_name(shape, bit) +
                                    " is in the processor's number twice: the parts of a form must not overlap");
      }
      real_bits_ |= std::uint64_t{1} << bit;
    }
    // In Gray code a bit is the sum of itself and the next higher one of its field.
    for (std::size_t index = 0; index < field.bits.size(); ++index) {
      std::uint64_t mask = std::uint64_t{1} << field.bits[index];
      if (field.gray && index > 0) mask |= std::uint64_t{1} << field.bits[index - 1];
      node_bits_.push_back(mask);
    }
  }
  std::reverse(node_bits_.begin(), node_bits_.end());
  if (node_bits_.size() > most_dimensions) throw std::invalid_argument("a processor's number has at most 31 bits");
  dimensions_ = static_cast<Port>(node_bits_.size());
  for (unsigned bit = all; bit-- > 0;) {
    if ((real_bits_ >> bit & 1U) == 0) virtual_bits_.push_back(bit);
  }
}

Rank StorageForm::node(std::uint64_t address) const {
  Rank node = 0;
  for (Port d = 0; d < dimensions_; ++d) node |= Rank{parity(address & node_bits_[d])} << d;
  return node;
}

std::uint64_t StorageForm::local(std::uint64_t address) const {
  std::uint64_t local = 0;
  for (const unsigned bit : virtual_bits_) local = local << 1 | (address >> bit & 1U);
  return local;
}

std::uint64_t StorageForm::address(Rank node, std::uint64_t local) const {
  std::uint64_t address = 0;
  for (auto bit = virtual_bits_.rbegin(); bit != virtual_bits_.rend(); ++bit) {
    address |= (local & 1U) << *bit;
    local >>= 1;
  }
  unsigned above = dimensions_;
  for (const Field& field : fields_) {
    const auto width = static_cast<unsigned>(field.bits.size());
    above -= width;
    Rank number = node >> above & ((Rank{1} << width) - 1);
    if (field.gray) number = inverse_gray(number);
    for (unsigned index = 0; index < width; ++index) {
      address |= (std::uint64_t{number} >> (width - 1 - index) & 1U) << field.bits[index];
    }
  }
  return address;
}

StorageForm StorageForm::of_transposed() const {
  const MatrixShape original{shape_.column_bits, shape_.row_bits};
  const auto moved = [&](unsigned bit) {
    return bit < shape_.column_bits ? bit + original.column_bits : bit - shape_.column_bits;
  };
  std::vector<Field> fields = fields_;
  for (Field& field : fields) {
    std::transform(field.bits.begin(), field.bits.end(), field.bits.begin(), moved);
  }
  StorageForm form(original, std::move(fields));
  std::transform(virtual_bits_.begin(), virtual_bits_.end(), form.virtual_bits_.begin(), moved);
  return form;
}

std::vector<StorageForm::Field> row_fields(const MatrixShape& shape, const Partition& partition, unsigned width) {
  return fields_of("row", shape.row_bits, shape.column_bits, partition, width);
}

std::vector<StorageForm::Field> column_fields(const MatrixShape& shape, const Partition& partition, unsigned width) {
  return fields_of("column", shape.column_bits, 0, partition, width);
}

std::uint64_t part_of(std::uint64_t number, unsigned size, const Partition& partition, unsigned width) {
  const auto power = [](unsigned exponent) { return std::uint64_t{1} << exponent; };
  const auto coded = [&](std::uint64_t part) {
    return std::uint64_t{partition.gray ? gray(static_cast<Rank>(part)) : static_cast<Rank>(part)};
  };
  const unsigned place = partition.place;
  switch (partition.scheme) {
    case Partition::Scheme::consecutive:
      return coded(number / power(size - width));
    case Partition::Scheme::cyclic:
      return coded(number % power(width));
    case Partition::Scheme::combined:
      return coded(number / power(size - place - width + 1) % power(width));
    case Partition::Scheme::split:
      break;
  }
  return coded(number / power(size - place)) * power(width - place) + coded(number % power(width - place));
}

}  // namespace lockstep
