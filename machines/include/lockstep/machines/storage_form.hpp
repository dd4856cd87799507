#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep {

// How the elements of a matrix are spread over the processors of a cube (Johnsson & Ho, section 2; johnsson-ho.md,
// Storage forms).
//
// A matrix of 2^p rows and 2^q columns has the addresses w = u 2^q + v, of p + q bits: bit q + i is bit u_i of the row
// number, bit i is bit v_i of the column number. A form is a list of sub-fields of the processor's number, the highest
// first, each an ordered list of address bits in binary or Gray code. The bits in it are the real bits; the others, the
// virtual bits, are the local address.
//
//      p = q = 2, n = 2:           consecutive rows        cyclic rows          consecutive rows x cyclic columns
//      real bits                   u1 u0                   u1 u0 (p = n)        u1 v0
//                                  0 0 0 0                 0 0 0 0              0 1 0 1
//      the processor of            1 1 1 1                 1 1 1 1              0 1 0 1
//      each element                2 2 2 2                 2 2 2 2              2 3 2 3
//                                  3 3 3 3                 3 3 3 3              2 3 2 3

/// A matrix of 2^row_bits rows and 2^column_bits columns.
struct MatrixShape {
  unsigned row_bits = 0;     ///< p
  unsigned column_bits = 0;  ///< q

  /// p + q, the bits of the address of an element.
  unsigned address_bits() const { return row_bits + column_bits; }
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// The name of an address bit: "u3" or "v0".
std::string address_bit_name(const MatrixShape& shape, unsigned bit);

/// Which bits of a row or column number choose the processor, `width` of its `size` bits.
struct Partition {
  /// Where these bits lie.
  enum class Scheme {
    consecutive,  ///< the highest bits
    cyclic,       ///< the lowest bits
    combined,     ///< contiguous: the bits size-place .. size-place-width+1; 1 is consecutive, size-width+1 cyclic
    split         ///< the `place` highest bits, and then the remaining number of the lowest; two sub-fields
  };
  Scheme scheme = Scheme::consecutive;  ///< where the bits lie
  unsigned place = 0;                   ///< for combined and split, as described there
  bool gray = false;                    ///< the bits are the Gray code of the part's number, not the number

  friend bool operator==(const Partition&, const Partition&) = default;
};

/// A storage form of the matrices of one shape.
class StorageForm {
 public:
  /// Address bits that form a part of the processor's number.
  struct Field {
    std::vector<unsigned> bits;  ///< of the address, the highest first
    bool gray = false;           ///< whether they are the Gray code of a number
  };

  /// Throws std::invalid_argument, naming the bit, if it does not exist or is in two places; and if the fields have
  /// more bits than a rank.
  StorageForm(const MatrixShape& shape, std::vector<Field> fields);

  /// The rows and columns of its matrices.
  const MatrixShape& shape() const { return shape_; }
  /// n, the bits of a processor's number.
  Port dimensions() const { return dimensions_; }
  /// The virtual bits, the highest of the local address first: at first row bits, then column bits, high to low.
  const std::vector<unsigned>& virtual_bits() const { return virtual_bits_; }
  /// The real bits as a mask over the addresses.
  std::uint64_t real_bits() const { return real_bits_; }

  /// The processor and local address of an element. Time in proportion to the bits.
  Rank node(std::uint64_t address) const;
  /// The place of an element in the memory of its processor.
  std::uint64_t local(std::uint64_t address) const;
  /// The element at that place: the inverse of both.
  std::uint64_t address(Rank node, std::uint64_t local) const;

  /// The address bits whose sum modulo 2 is bit d of the processor's number, as a mask.
  std::uint64_t node_bit(Port d) const { return node_bits_[d]; }

  /// This form of the transposed matrix, in addresses of the original one: its row bit u_i is the original's v_i. The
  /// order of the virtual bits stays that of the transposed matrix. The shape becomes the original's.
  StorageForm of_transposed() const;

 private:
  MatrixShape shape_;
  std::vector<Field> fields_;
  Port dimensions_ = 0;
  std::vector<unsigned> virtual_bits_;
  std::uint64_t real_bits_ = 0;
  std::vector<std::uint64_t> node_bits_;  // lowest dimension first
};

/// The sub-fields of `width` bits that a partition takes of the row numbers or of the column numbers.
/// Throws std::invalid_argument, saying what does not fit.
std::vector<StorageForm::Field> row_fields(const MatrixShape& shape, const Partition& partition, unsigned width);
/// The same for the column numbers.
std::vector<StorageForm::Field> column_fields(const MatrixShape& shape, const Partition& partition, unsigned width);

/// The part, 0 to 2^width - 1, to which row or column `number` of 2^size belongs, by arithmetic on the number instead
/// of its bits.
std::uint64_t part_of(std::uint64_t number, unsigned size, const Partition& partition, unsigned width);

}  // namespace lockstep
