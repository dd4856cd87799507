// Storage forms (johnsson-ho.md, Storage forms): places by bits against arithmetic on rows and columns, and the facts
// stated in the section.
#include "lockstep/machines/storage_form.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace lockstep::storage_form_test {
namespace {

using Scheme = Partition::Scheme;

/// All partitions of `size` of `width` bits.
std::vector<Partition> partitions(unsigned size, unsigned width) {
  std::vector<Partition> all;
  for (const bool gray : {false, true}) {
    all.push_back({Scheme::consecutive, 0, gray});
    all.push_back({Scheme::cyclic, 0, gray});
    for (unsigned place = 1; place + width <= size + 1; ++place) all.push_back({Scheme::combined, place, gray});
    for (unsigned place = 1; place < width; ++place) all.push_back({Scheme::split, place, gray});
  }
  return all;
}

/// The Gray code from its table, which is reflected and doubled bit by bit.
std::uint64_t gray_by_table(std::uint64_t number, unsigned width) {
  std::vector<std::uint64_t> table{0};
  for (unsigned bit = 0; bit < width; ++bit) {
    for (std::size_t index = table.size(); index-- > 0;) table.push_back(table[index] | std::uint64_t{1} << bit);
  }
  return table[number];
}

/// The part of a row by the definitions of johnsson-ho.md, Storage forms, with divisions only.
std::uint64_t naive_part(std::uint64_t u, unsigned p, const Partition& partition, unsigned n) {
  const std::uint64_t P = std::uint64_t{1} << p;
  const std::uint64_t N = std::uint64_t{1} << n;
  const auto coded = [&](std::uint64_t part, unsigned bits) {
    return partition.gray ? gray_by_table(part, bits) : part;
  };
  switch (partition.scheme) {
    case Scheme::consecutive:
      return coded(u / (P / N), n);
    case Scheme::cyclic:
      return coded(u % N, n);
    case Scheme::combined:
      return coded(u % (P >> (partition.place - 1)) / ((P >> (partition.place - 1)) / N), n);
    case Scheme::split:
      break;
  }
  const unsigned s = partition.place;
  const std::uint64_t low = std::uint64_t{1} << (n - s);
  return coded(u / (P >> s), s) * low + coded(u % low, n - s);
}

TEST(StorageForm, PlacesEveryRowAsTheDefinitionsSay) {
  for (unsigned p = 0; p <= 6; ++p) {
    for (unsigned n = 0; n <= p; ++n) {
      const MatrixShape shape{p, 2};
      for (const Partition& partition : partitions(p, n)) {
        const StorageForm form(shape, row_fields(shape, partition, n));
        ASSERT_EQ(form.dimensions(), n);
        std::vector<std::uint64_t> next(std::size_t{1} << n);
        for (std::uint64_t w = 0; w < std::uint64_t{1} << shape.address_bits(); ++w) {
          const Rank node = form.node(w);
          ASSERT_EQ(node, naive_part(w / 4, p, partition, n)) << p << " " << n << " " << partition.place;
          ASSERT_EQ(node, part_of(w / 4, p, partition, n));
          // A processor's elements are in the order of their addresses.
          ASSERT_EQ(form.local(w), next[node]++);
          ASSERT_EQ(form.address(node, form.local(w)), w);
        }
        for (const std::uint64_t count : next) ASSERT_EQ(count, (std::uint64_t{1} << shape.address_bits()) >> n);
      }
    }
  }
}

TEST(StorageForm, PlacesColumnsAndBoth) {
  const MatrixShape shape{3, 4};
  for (const Partition& rows : partitions(3, 2)) {
    for (const Partition& columns : partitions(4, 3)) {
      std::vector<StorageForm::Field> fields = row_fields(shape, rows, 2);
      for (const StorageForm::Field& field : column_fields(shape, columns, 3)) fields.push_back(field);
      const StorageForm form(shape, fields);
      for (std::uint64_t w = 0; w < 128; ++w) {
        ASSERT_EQ(form.node(w), naive_part(w / 16, 3, rows, 2) * 8 + naive_part(w % 16, 4, columns, 3));
        ASSERT_EQ(form.address(form.node(w), form.local(w)), w);
      }
    }
  }
}

TEST(StorageForm, IsThatOfTheTransposedMatrixInAddressesOfTheOriginal) {
  const MatrixShape shape{4, 3};
  const MatrixShape transposed{3, 4};
  for (const Partition& partition : partitions(3, 2)) {
    const StorageForm of_transposed(transposed, row_fields(transposed, partition, 2));
    const StorageForm form = of_transposed.of_transposed();
    EXPECT_EQ(form.shape(), shape);
    for (std::uint64_t u = 0; u < 16; ++u) {
      for (std::uint64_t v = 0; v < 8; ++v) {
        ASSERT_EQ(form.node(u * 8 + v), of_transposed.node(v * 16 + u));
        ASSERT_EQ(form.local(u * 8 + v), of_transposed.local(v * 16 + u));
        ASSERT_EQ(form.address(form.node(u * 8 + v), form.local(u * 8 + v)), u * 8 + v);
      }
    }
  }
}

/// The number of words that each processor has for each other one.
std::map<std::pair<Rank, Rank>, std::uint64_t> traffic(const StorageForm& before, const StorageForm& after) {
  std::map<std::pair<Rank, Rank>, std::uint64_t> words;
  for (std::uint64_t w = 0; w < std::uint64_t{1} << before.shape().address_bits(); ++w) {
    ++words[{before.node(w), after.node(w)}];
  }
  return words;
}

TEST(StorageForm, IsAllToAllWhereNoBitIsRealTwice) {
  for (unsigned p = 2; p <= 6; ++p) {
    for (unsigned n = 1; n <= 3 && n <= p; ++n) {
      const MatrixShape shape{p, 1};
      const StorageForm consecutive(shape, row_fields(shape, {Scheme::consecutive, 0, false}, n));
      const StorageForm cyclic(shape, row_fields(shape, {Scheme::cyclic, 0, true}, n));
      const auto words = traffic(consecutive, cyclic);
      const std::uint64_t N = std::uint64_t{1} << n;
      const bool disjoint = p >= 2 * n;  // P >= N^2
      EXPECT_EQ((consecutive.real_bits() & cyclic.real_bits()) == 0, disjoint);
      EXPECT_EQ(words.size() == N * N, disjoint) << p << " " << n;
      for (const auto& [pair, count] : words) {
        if (disjoint) {
          EXPECT_EQ(count, (std::uint64_t{2} << p) / (N * N));
        }
      }
    }
  }
}

TEST(StorageForm, ReachesAsManyAsAreRealAfterwards) {
  const MatrixShape shape{5, 4};
  const StorageForm rows(shape, row_fields(shape, {}, 2));
  const StorageForm columns(shape, column_fields(shape, {}, 3));
  const auto words = traffic(rows, columns);
  EXPECT_EQ(words.size(), 4U * 8U);
  for (const auto& [pair, count] : words) EXPECT_EQ(count, 512U / 32U);
}

// Consecutive rows with cyclic columns: before and after a transposition no bit is real twice if and only if
// q - n_c >= n_r and p - n_r >= n_c.
TEST(StorageForm, HasDisjointBitsInTwoDimensionsAsTheSectionSays) {
  for (unsigned p = 1; p <= 5; ++p) {
    for (unsigned q = 1; q <= 5; ++q) {
      for (unsigned n_r = 0; n_r <= std::min(p, q); ++n_r) {
        for (unsigned n_c = 0; n_c <= std::min(p, q); ++n_c) {
          const auto form = [&](const MatrixShape& shape) {
            std::vector<StorageForm::Field> fields = row_fields(shape, {Scheme::consecutive, 0, false}, n_r);
            for (const auto& field : column_fields(shape, {Scheme::cyclic, 0, false}, n_c)) fields.push_back(field);
            return StorageForm(shape, fields);
          };
          const std::uint64_t shared = form({p, q}).real_bits() & form({q, p}).of_transposed().real_bits();
          const bool conditions = q >= n_c + n_r && p >= n_r + n_c;
          EXPECT_EQ(shared == 0, conditions || n_r + n_c == 0) << p << q << n_r << n_c;
        }
      }
    }
  }
}

// Any ordered subset of the bits is a form.
TEST(StorageForm, TakesAnyBitsInAnyOrder) {
  const MatrixShape shape{3, 3};
  const StorageForm form(shape, {{{0, 5}, true}, {{3}, false}});
  EXPECT_EQ(form.dimensions(), 3U);
  EXPECT_EQ(form.virtual_bits(), (std::vector<unsigned>{4, 2, 1}));
  // w = 100001 in bits u2 u1 u0 v2 v1 v0: v0 = 1, u2 = 1, u0 = 0; Gray code of 11 is 10, then 0.
  EXPECT_EQ(form.node(0b100001), 0b100U);
  EXPECT_EQ(form.local(0b110110), 0b111U);
  for (std::uint64_t w = 0; w < 64; ++w) EXPECT_EQ(form.address(form.node(w), form.local(w)), w);
}

std::string refusal(const MatrixShape& shape, const std::vector<StorageForm::Field>& fields) {
  try {
    StorageForm form(shape, fields);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(StorageForm, RefusesBitsThatOverlapOrAreNotThere) {
  const MatrixShape shape{3, 2};
  EXPECT_EQ(refusal(shape, {{{4, 3}, false}, {{2, 3}, true}}),
            "address bit u1 is in the processor's number twice: the parts of a form must not overlap");
  EXPECT_EQ(refusal(shape, {{{1, 1}, false}}),
            "address bit v1 is in the processor's number twice: the parts of a form must not overlap");
  EXPECT_EQ(refusal(shape, {{{5}, false}}), "there is no address bit 5 in a matrix of 5 bits");
  EXPECT_EQ(refusal({40, 40}, {}), "a matrix has at most 62 address bits");
  EXPECT_EQ(refusal({20, 20}, {{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, false},
                               {{16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}, true}}),
            "a processor's number has at most 31 bits");
  EXPECT_EQ(refusal({20, 20}, row_fields({20, 20}, {}, 20)), "");
}

std::string refusal(const Partition& partition, unsigned p, unsigned n) {
  try {
    row_fields({p, 0}, partition, n);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(StorageForm, RefusesPartitionsThatDoNotFit) {
  EXPECT_EQ(refusal({Scheme::cyclic, 0, false}, 2, 3),
            "row numbers of 2 bits cannot fill 3 bits of a processor's number");
  EXPECT_EQ(refusal({Scheme::combined, 3, false}, 4, 3), "combined=3 does not fit: for 3 bits of 4 it is 1 to 2");
  EXPECT_EQ(refusal({Scheme::combined, 2, false}, 4, 3), "");
  EXPECT_EQ(refusal({Scheme::split, 3, false}, 4, 3), "split=3 does not fit: for 3 bits it is 1 to 2");
  EXPECT_EQ(refusal({Scheme::split, 2, false}, 4, 0),
            "split=2 does not fit: it takes at least 2 bits of a processor's number");
  EXPECT_EQ(refusal({Scheme::combined, 6, false}, 4, 0), "combined=6 does not fit: for 0 bits of 4 it is 1 to 5");
  EXPECT_EQ(refusal({Scheme::split, 1, false}, 4, 1),
            "split=1 does not fit: it takes at least 2 bits of a processor's number");
}

}  // namespace
}  // namespace lockstep::storage_form_test
