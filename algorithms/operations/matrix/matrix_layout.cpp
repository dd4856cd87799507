#include "lockstep/algorithms/operation/matrix_layout.hpp"

#include <algorithm>
#include <stdexcept>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/gray_code.hpp"

namespace lockstep {

const std::string storage_form_names =
    "[gray:]row-SCHEME, [gray:]column-SCHEME, 2d:[gray:]SCHEME,[gray:]SCHEME, [gray:]band=S or bits:FIELD,FIELD.., "
    "where SCHEME is consecutive, cyclic, combined=I or split=S, and FIELD is [gray:]BIT+BIT.., a BIT being u3, v0 or "
    "a range u3-u0";

namespace {

constexpr unsigned most_place = 62;

/// A form as it is read from the left.
class FormReader {
 public:
  FormReader(std::string_view flag, const std::string& text) : flag_(flag), text_(text), left_(text_) {}

  bool take(std::string_view word) {
    if (left_.substr(0, word.size()) != word) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  /// All up to the first of the separators or the end.
  std::string_view take_until(std::string_view separators) {
    const std::string_view word = left_.substr(0, left_.find_first_of(separators));
    left_.remove_prefix(word.size());
    return word;
  }

  Partition scheme(bool gray, std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    Partition partition{.scheme = scheme_of(name), .place = 0, .gray = gray};
    const bool placed = partition.scheme == Partition::Scheme::combined || partition.scheme == Partition::Scheme::split;
    if (placed != (equals != std::string_view::npos)) refuse();
    if (placed) partition.place = number("the place of " + std::string(name), word.substr(equals + 1), 1);
    return partition;
  }

  unsigned number(const std::string& what, std::string_view word, unsigned least) const {
    return static_cast<unsigned>(parse_whole_number(std::string(flag_) + ": " + what, word, least, most_place));
  }

  /// BIT+BIT..
  std::vector<NumberBit> bits() {
    std::vector<NumberBit> all;
    do {
      const NumberBit first = bit(take_until("-+,"));
      all.push_back(first);
      if (!take("-")) continue;
      const NumberBit last = bit(take_until("+,"));
      if (last.of_row != first.of_row) refuse();
      const bool descends = last.number < first.number;
      while (all.back().number != last.number) {
        all.push_back({first.of_row, descends ? all.back().number - 1 : all.back().number + 1});
      }
    } while (take("+"));
    return all;
  }

  void expect_end() const {
    if (!left_.empty()) refuse();
  }

  [[noreturn]] void refuse() const {
    throw InputError(std::string(flag_) + " " + quoted(text_) + " is no storage form: " + storage_form_names);
  }

 private:
  Partition::Scheme scheme_of(std::string_view name) const {
    if (name == "consecutive") return Partition::Scheme::consecutive;
    if (name == "cyclic") return Partition::Scheme::cyclic;
    if (name == "combined") return Partition::Scheme::combined;
    if (name == "split") return Partition::Scheme::split;
    refuse();
  }

  NumberBit bit(std::string_view name) const {
    if (name.empty() || (name.front() != 'u' && name.front() != 'v')) refuse();
    return {name.front() == 'u', number("bit " + std::string(name.substr(0, 1)), name.substr(1), 0)};
  }

  std::string_view flag_;
  std::string text_;
  std::string_view left_;
};

/// The field's part, moved to its place in the processor's number.
Rank field_part(const std::optional<Partition>& partition, std::uint64_t number, unsigned size, unsigned width) {
  return partition ? static_cast<Rank>(part_of(number, size, *partition, width)) : 0;
}

std::uint64_t power(unsigned exponent) { return std::uint64_t{1} << exponent; }

/// How the fields of a band lie: the blocks' number, and then h bits of the row in its block and of the column.
struct BandFields {
  unsigned blocks;
  unsigned h;
};

BandFields band_fields(const MatrixShape& shape, Port dimensions, unsigned blocks) {
  if (blocks > dimensions || (dimensions - blocks) % 2 != 0) {
    throw std::invalid_argument("band=" + std::to_string(blocks) + " takes " + std::to_string(blocks) +
                                " dimensions and an even number more, not " + std::to_string(dimensions));
  }
  const BandFields fields{blocks, (dimensions - blocks) / 2};
  if (shape.column_bits < fields.h || shape.row_bits < shape.column_bits + blocks) {
    throw std::invalid_argument("band=" + std::to_string(blocks) + " takes " + std::to_string(power(fields.h)) +
                                " columns or more, and at least " + std::to_string(power(blocks)) +
                                " times as many rows");
  }
  return fields;
}

StorageForm band_form(const MatrixShape& shape, const BandFields& fields, bool gray) {
  const unsigned q = shape.column_bits;
  const auto below = [gray](unsigned above, unsigned count) {
    StorageForm::Field field{{}, gray};
    for (unsigned index = 1; index <= count; ++index) field.bits.push_back(above - index);
    return field;
  };
  return StorageForm(shape, {below(shape.address_bits(), fields.blocks), below(2 * q, fields.h), below(q, fields.h)});
}

Rank band_rank(const MatrixShape& shape, const BandFields& fields, bool gray, std::uint64_t row, std::uint64_t column) {
  const std::uint64_t columns = power(shape.column_bits);
  const std::uint64_t side = columns / power(fields.h);  // of the square blocks that a processor has
  const auto coded = [gray](std::uint64_t part) {
    return gray ? lockstep::gray(static_cast<Rank>(part)) : static_cast<Rank>(part);
  };
  const Rank block_row = coded(row / (power(shape.row_bits) / power(fields.blocks)));
  return (block_row << fields.h | coded(row % columns / side)) << fields.h | coded(column / side);
}

StorageForm chosen_form(const MatrixShape& shape, Port dimensions, const std::vector<ChosenField>& chosen) {
  std::vector<StorageForm::Field> fields;
  std::size_t count = 0;
  for (const ChosenField& field : chosen) {
    fields.push_back({{}, field.gray});
    count += field.bits.size();
    for (const auto& [of_row, number] : field.bits) {
      if (number >= (of_row ? shape.row_bits : shape.column_bits)) {
        throw std::invalid_argument("there is no bit " + std::string(of_row ? "u" : "v") + std::to_string(number) +
                                    " in a matrix of " + std::to_string(power(shape.row_bits)) + "x" +
                                    std::to_string(power(shape.column_bits)));
      }
      fields.back().bits.push_back(of_row ? shape.column_bits + number : number);
    }
  }
  if (count != dimensions) {
    throw std::invalid_argument("it names " + counted(count, "bit") + ", and a processor's number has " +
                                std::to_string(dimensions));
  }
  return StorageForm(shape, std::move(fields));
}

Rank chosen_rank(const std::vector<ChosenField>& chosen, std::uint64_t row, std::uint64_t column) {
  Rank rank = 0;
  for (const ChosenField& field : chosen) {
    Rank number = 0;
    for (const NumberBit& bit : field.bits) {
      number = 2 * number + static_cast<Rank>((bit.of_row ? row : column) / power(bit.number) % 2);
    }
    rank = rank << field.bits.size() | (field.gray ? gray(number) : number);
  }
  return rank;
}

}  // namespace

StorageForm MatrixLayout::form(const MatrixShape& shape, Port dimensions) const {
  if (!chosen_fields.empty()) return chosen_form(shape, dimensions, chosen_fields);
  if (band_dimensions) return band_form(shape, band_fields(shape, dimensions, *band_dimensions), band_gray);
  std::vector<StorageForm::Field> fields;
  if (rows) fields = row_fields(shape, *rows, row_width(dimensions));
  if (columns) {
    for (StorageForm::Field& field : column_fields(shape, *columns, column_width(dimensions))) {
      fields.push_back(std::move(field));
    }
  }
  return StorageForm(shape, std::move(fields));
}

Rank MatrixLayout::rank(const MatrixShape& shape, Port dimensions, std::uint64_t row, std::uint64_t column) const {
  if (!chosen_fields.empty()) return chosen_rank(chosen_fields, row, column);
  if (band_dimensions) {
    return band_rank(shape, band_fields(shape, dimensions, *band_dimensions), band_gray, row, column);
  }
  const unsigned width = column_width(dimensions);
  return field_part(rows, row, shape.row_bits, row_width(dimensions)) << width |
         field_part(columns, column, shape.column_bits, width);
}

MatrixLayout parse_layout(std::string_view flag, const std::string& text) {
  FormReader reader(flag, text);
  MatrixLayout layout;
  if (reader.take("2d:")) {
    const bool gray_rows = reader.take("gray:");
    layout.rows = reader.scheme(gray_rows, reader.take_until(","));
    if (!reader.take(",")) reader.refuse();
    const bool gray_columns = reader.take("gray:");
    layout.columns = reader.scheme(gray_columns, reader.take_until(""));
  } else if (reader.take("bits:")) {
    do {
      const bool gray = reader.take("gray:");
      layout.chosen_fields.push_back({reader.bits(), gray});
    } while (reader.take(","));
  } else {
    const bool gray = reader.take("gray:");
    if (reader.take("row-")) {
      layout.rows = reader.scheme(gray, reader.take_until(""));
    } else if (reader.take("column-")) {
      layout.columns = reader.scheme(gray, reader.take_until(""));
    } else if (reader.take("band=")) {
      layout.band_dimensions = reader.number("the dimensions of band", reader.take_until(""), 0);
      layout.band_gray = gray;
    } else {
      reader.refuse();
    }
  }
  reader.expect_end();
  return layout;
}

unsigned parse_row_dimensions(const std::string& text, Port dimensions) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    throw InputError("--layout " + quoted(text) +
                     " is not of the form R,C, the dimensions of rows and of columns, e.g. 3,2");
  }
  const std::uint64_t rows = parse_whole_number("--layout: R", text.substr(0, comma), 0, dimensions);
  const std::uint64_t columns = parse_whole_number("--layout: C", text.substr(comma + 1), 0, dimensions);
  if (rows + columns != dimensions) {
    throw InputError("--layout " + text + " takes " + std::to_string(rows + columns) + " dimensions, and there are " +
                     std::to_string(dimensions));
  }
  return static_cast<unsigned>(rows);
}

}  // namespace lockstep
