#include "lockstep/algorithms/operation/matrix_layout.hpp"

#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"

namespace lockstep {
namespace {

const std::string forms =
    "[gray:]row-SCHEME, [gray:]column-SCHEME or 2d:[gray:]SCHEME,[gray:]SCHEME, where SCHEME is consecutive, cyclic, "
    "combined=I or split=S";

/// A form as it is read from the left.
class FormReader {
 public:
  FormReader(std::string_view flag, const std::string& text) : flag_(flag), text_(text), left_(text_) {}

  bool take(std::string_view word) {
    if (left_.substr(0, word.size()) != word) return false;
    left_.remove_prefix(word.size());
    return true;
  }

  /// All up to the separator or the end.
  std::string_view take_until(char separator) {
    const std::string_view word = left_.substr(0, left_.find(separator));
    left_.remove_prefix(word.size());
    return word;
  }

  Partition scheme(bool gray, std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    Partition partition{.scheme = scheme_of(name), .place = 0, .gray = gray};
    const bool placed = partition.scheme == Partition::Scheme::combined || partition.scheme == Partition::Scheme::split;
    if (placed != (equals != std::string_view::npos)) refuse();
    if (placed) {
      constexpr unsigned most = 62;
      const std::string what = std::string(flag_) + ": the place of " + std::string(name);
      partition.place = static_cast<unsigned>(parse_whole_number(what, word.substr(equals + 1), 1, most));
    }
    return partition;
  }

  void expect_end() const {
    if (!left_.empty()) refuse();
  }

  [[noreturn]] void refuse() const {
    throw InputError(std::string(flag_) + " " + quoted(text_) + " is no storage form: " + forms);
  }

 private:
  Partition::Scheme scheme_of(std::string_view name) const {
    if (name == "consecutive") return Partition::Scheme::consecutive;
    if (name == "cyclic") return Partition::Scheme::cyclic;
    if (name == "combined") return Partition::Scheme::combined;
    if (name == "split") return Partition::Scheme::split;
    refuse();
  }

  std::string_view flag_;
  std::string text_;
  std::string_view left_;
};

/// The field's part, moved to its place in the processor's number.
Rank field_part(const std::optional<Partition>& partition, std::uint64_t number, unsigned size, unsigned width) {
  return partition ? static_cast<Rank>(part_of(number, size, *partition, width)) : 0;
}

}  // namespace

StorageForm MatrixLayout::form(const MatrixShape& shape, Port dimensions) const {
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
  const unsigned width = column_width(dimensions);
  return field_part(rows, row, shape.row_bits, row_width(dimensions)) << width |
         field_part(columns, column, shape.column_bits, width);
}

MatrixLayout parse_layout(std::string_view flag, const std::string& text) {
  FormReader reader(flag, text);
  MatrixLayout layout;
  if (reader.take("2d:")) {
    const bool gray_rows = reader.take("gray:");
    layout.rows = reader.scheme(gray_rows, reader.take_until(','));
    if (!reader.take(",")) reader.refuse();
    const bool gray_columns = reader.take("gray:");
    layout.columns = reader.scheme(gray_columns, reader.take_until('\0'));
  } else {
    const bool gray = reader.take("gray:");
    if (reader.take("row-")) {
      layout.rows = reader.scheme(gray, reader.take_until('\0'));
    } else if (reader.take("column-")) {
      layout.columns = reader.scheme(gray, reader.take_until('\0'));
    } else {
      reader.refuse();
    }
  }
  reader.expect_end();
  return layout;
}

}  // namespace lockstep
