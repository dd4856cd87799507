// Files of data for --input, of numbers, strings and matrices, and the files that --permutation, --pattern and --group
// name: the first byte says which. Values that were read and written are read back equal.
#include <cstdlib>
#include <span>
#include <string>

#include "directory.hpp"
#include "lockstep/algorithms/matrix_file.hpp"
#include "lockstep/algorithms/string_file.hpp"
#include "lockstep/machines/input_error.hpp"
#include "method/group.hpp"
#include "operations/permute/rank_permutation.hpp"
#include "operations/route/pattern.hpp"
#include "target.hpp"

namespace lockstep {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void take_numbers(const std::string& file, const NumberLimits& limits) {
  const NumberSummary summary = scan_numbers(file, limits);
  const Numbers numbers = read_numbers(file, limits);
  require(summary.count == numbers.words.size() && summary.type == numbers.type);
  write_numbers("written", numbers.words, numbers.type);
  const Numbers again = read_numbers("written", {.may_be_empty = true, .type = numbers.type});
  require(again.words == numbers.words);
}

void take_strings(const std::string& file) {
  const StringSummary summary = scan_strings(file);
  const std::vector<std::string> strings = read_strings(file);
  require(summary.count == strings.size());
  write_strings("written", strings);
  require(read_strings("written") == strings);
}

void take_matrix(const std::string& file) {
  const MatrixSummary summary = scan_matrix(file);
  const Matrix matrix = read_matrix(file);
  require(summary.type == matrix.type && matrix.words.size() == matrix.size.rows * matrix.size.columns);
  write_matrix("written", matrix);
  require(read_matrix("written") == matrix);
}

void take(std::span<const std::uint8_t> bytes) {
  constexpr Rank processors = 8;
  static const fuzz::Directory directory;
  if (bytes.empty()) return;
  const std::string file = fuzz::Directory::write("./input", bytes.subspan(1));
  switch (bytes.front() % 8) {
    case 0:
      return take_numbers(file, {});
    case 1:
      return take_numbers(file, {.most = 16, .may_be_empty = true, .type = NumberType::float64});
    case 2:
      return take_numbers(file, {.type = NumberType::int64});
    case 3:
      return take_strings(file);
    case 4:
      return take_matrix(file);
    case 5:
      require(permute::read_rank_permutation(file, processors).size() == processors);
      break;
    case 6:
      require(route::count_requests(file, processors) == route::make_requests(file, processors).size());
      break;
    default:
      require(!method::Group(parse_machine("hypercube:3"), file).members().empty());
  }
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  try {
    lockstep::take({bytes, count});
  } catch (const lockstep::InputError&) {
  }
  return 0;
}
