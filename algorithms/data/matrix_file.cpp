#include "lockstep/algorithms/matrix_file.hpp"

#include <cassert>
#include <fstream>
#include <sstream>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_error.hpp"
#include "number_reader.hpp"

namespace lockstep {
namespace {

/// The words of a line in small letters.
std::vector<std::string> words_of(std::string line) {
  for (char& letter : line) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// Reads a matrix from a file.
class MatrixReader {
 public:
  /// Reads the header. The path must outlive the reader.
  explicit MatrixReader(const std::string& path) : path_(path), file_(open_data(path)) {
    summary_.type = read_banner();
    summary_.size = read_size();
  }

  const MatrixSummary& summary() const { return summary_; }
  std::uint64_t count() const { return summary_.size.rows * summary_.size.columns; }

  /// Calls use(word) for all numbers, in the order of the file.
  template <class Use>
  void for_each_word(const Use& use) {
    const std::string of_matrix = std::to_string(count()) + " numbers of a " + to_string(summary_.size) + " matrix";
    data::NumberReader reader(file_, path_, line_ + 1);
    std::uint64_t found = 0;
    for (std::uint64_t line_before = 0; reader.next(); line_before = reader.line()) {
      const auto text = [&] { return quoted(reader.text()); };
      // A file with one row per line would be read as another matrix.
      if (reader.line() == line_before)
        reader.refuse(text() + " is not alone: numbers are one a line, column by column");
      if (++found > count()) reader.refuse(text() + " follows the " + of_matrix);
      const data::FileNumber number = reader.number();
      if (summary_.type == NumberType::int64 && number.type != NumberType::int64) {
        reader.refuse(text() + " is no integer, though line 1 states integer; use real for such numbers");
      }
      use(number.word(summary_.type));
    }
    if (found < count()) reader.refuse("the file ends after " + std::to_string(found) + " of the " + of_matrix);
  }

 private:
  /// The next line, no longer than the format allows: another kind of file may have no line end at all.
  std::string next_line() {
    constexpr std::size_t longest = 1024;
    ++line_;
    std::string line;
    for (char letter = 0; file_.get(letter) && letter != '\n';) {
      if (line.size() == longest) refuse("it is longer than " + std::to_string(longest) + " letters");
      line += letter;
    }
    if (file_.bad()) refuse_to_read(path_);
    return line;
  }

  /// Neither comment nor empty.
  std::string next_line_of_data() {
    for (;;) {
      std::string line = next_line();
      if (line.find_first_not_of(" \t\v\f\r") != std::string::npos && !line.starts_with('%')) return line;
      if (file_.eof()) refuse("the file ends before the line of rows and columns");
    }
  }

  NumberType read_banner() {
    const std::vector<std::string> words = words_of(next_line());
    if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix") {
      refuse("it is not '%%MatrixMarket matrix array real general', or integer instead of real");
    }
    if (words[2] == "coordinate") refuse("the matrix is sparse (coordinate); only dense (array) files are read");
    if (words[2] != "array") refuse("the format is " + quoted(words[2]) + "; only array is read");
    if (words[4] != "general") {
      refuse("the matrix is " + quoted(words[4]) + "; only general ones are read, with all their numbers");
    }
    if (words[3] == "integer") return NumberType::int64;
    if (words[3] == "real") return NumberType::float64;
    refuse("the numbers are " + quoted(words[3]) + "; only real and integer are read");
  }

  MatrixSize read_size() {
    const std::vector<std::string> words = words_of(next_line_of_data());
    if (words.size() != 2) refuse("two numbers are needed, rows and columns, not " + std::to_string(words.size()));
    const MatrixSize size{size_of("rows", words[0]), size_of("columns", words[1])};
    const std::uint64_t numbers = size.rows * size.columns;
    if (numbers > most_words) {
      refuse("a " + to_string(size) + " matrix has more than " + std::to_string(most_words) + " numbers");
    }
    const std::uint64_t bytes = data_bytes(path_);
    if (bytes < 2 * numbers) {  // a digit and a line end each; the last may lack its line end
      refuse("a " + to_string(size) + " matrix does not fit the file, which has " + std::to_string(bytes) + " bytes");
    }
    return size;
  }

  std::uint64_t size_of(const char* what, const std::string& text) const {
    try {
      return parse_whole_number(what, text, 1, most_words);
    } catch (const InputError& problem) {
      refuse(problem.what());
    }
  }

  [[noreturn]] void refuse(const std::string& what) const { data::refuse_line(path_, line_, what); }

  const std::string& path_;
  std::ifstream file_;
  std::uint64_t line_ = 0;  // the last that was read
  MatrixSummary summary_;
};

}  // namespace

MatrixSummary scan_matrix(const std::string& path) {
  MatrixReader reader(path);
  reader.for_each_word([](Word) {});
  return reader.summary();
}

Matrix read_matrix(const std::string& path) {
  MatrixReader reader(path);
  Matrix matrix{.size = reader.summary().size, .type = reader.summary().type, .words = {}};
  matrix.words.reserve(reader.count());
  reader.for_each_word([&](Word word) { matrix.words.push_back(word); });
  return matrix;
}

void write_matrix(const std::string& path, const Matrix& matrix) {
  assert(matrix.words.size() == matrix.size.rows * matrix.size.columns);
  replace_data(path, [&](std::ostream& file) {
    file << "%%MatrixMarket matrix array " << (matrix.type == NumberType::int64 ? "integer" : "real") << " general\n"
         << "% written by Lockstep\n"
         << matrix.size.rows << ' ' << matrix.size.columns << '\n';
    for (const Word word : matrix.words) file << data::number_text(word, matrix.type) << '\n';
  });
}

}  // namespace lockstep
