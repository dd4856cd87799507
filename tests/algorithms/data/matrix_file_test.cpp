// Reading and writing dense matrices as Matrix Market files (--input, --output).
#include "lockstep/algorithms/matrix_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "data_directory.hpp"

namespace lockstep::matrix_file_test {
namespace {

namespace fs = std::filesystem;

Word word(std::int64_t number) { return std::bit_cast<Word>(number); }
Word word(double number) { return std::bit_cast<Word>(number); }

const std::string integers = "%%MatrixMarket matrix array integer general\n";
const std::string reals = "%%MatrixMarket matrix array real general\n";

class MatrixFile : public DataDirectory {
 protected:
  std::string refusal_of_text(const std::string& text) const {
    const std::string name = file("bad", text);
    std::string refusal = refusal_of([&] { read_matrix(name); });
    EXPECT_EQ(refusal_of([&] { scan_matrix(name); }), refusal);
    return refusal;
  }
};

TEST_F(MatrixFile, GoesDownItsColumns) {
  const std::string name = file("matrix", integers + "2 3\n11\n21\n12\n22\n13\n-23\n");
  const Matrix matrix = read_matrix(name);
  EXPECT_EQ(matrix.size, (MatrixSize{2, 3}));
  EXPECT_EQ(matrix.type, NumberType::int64);
  EXPECT_EQ(matrix.words, (std::vector<Word>{11, 21, 12, 22, 13, word(std::int64_t{-23})}));
  EXPECT_EQ(matrix.at(0, 2), 13U);
  EXPECT_EQ(matrix.at(1, 0), 21U);
  EXPECT_EQ(scan_matrix(name).size, matrix.size);
  EXPECT_EQ(scan_matrix(name).type, NumberType::int64);
}

TEST_F(MatrixFile, HasTheTypeThatItsHeaderSays) {
  const std::string name = file("matrix", reals + "1 3\n3\n-0.5\n1.0000000000000000e+03\n");
  const Matrix matrix = read_matrix(name);
  EXPECT_EQ(matrix.type, NumberType::float64);
  EXPECT_EQ(scan_matrix(name).type, NumberType::float64);
  EXPECT_EQ(matrix.words, (std::vector<Word>{word(3.0), word(-0.5), word(1000.0)}));
  const Matrix whole = read_matrix(file("whole", reals + "1 1\n7\n"));
  EXPECT_EQ(whole.type, NumberType::float64);
  EXPECT_EQ(whole.words, std::vector<Word>{word(7.0)});
}

TEST_F(MatrixFile, IsReadAsOtherProgramsWriteIt) {
  const Matrix expected{.size = {2, 1}, .type = NumberType::int64, .words = {4, 5}};
  const std::string banner = "%%MatrixMarket matrix array integer general";
  for (const std::string& text :
       {banner + "\n2 1\n4\n5\n", banner + "\n2 1\n4\n5", banner + "\r\n%\r\n\r\n2 1\r\n4\r\n5\r\n",
        banner + "\n% comment\n%% 9 9\n\n  2\t1  \n\n 4\n\n\t5 \n\n",
        std::string("%%matrixmarket MATRIX\tArray  InTeGeR   GENERAL \n%\n2 1\n4\n5\n")}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(read_matrix(file("matrix", text)), expected);
    EXPECT_EQ(scan_matrix(path("matrix")).size, expected.size);
  }
}

TEST_F(MatrixFile, IsRefusedWithoutItsBanner) {
  const std::string wrong =
      "bad, line 1: it is not '%%MatrixMarket matrix array real general', or integer instead of real";
  for (const std::string text :
       {"", "\n", "1 2 3", "2 2\n1\n2\n3\n4\n", "%%MatrixMarket\n1 1\n1\n", "%MatrixMarket matrix array real general\n",
        "%%MatrixMarket matrix array real\n1 1\n1\n", "%%MatrixMarket matrix array real general 1\n1 1\n1\n",
        "%%MatrixMarket vector array real general\n1 1\n1\n", "\n%%MatrixMarket matrix array real general\n1 1\n1\n"}) {
    EXPECT_EQ(refusal_of_text(text), wrong) << text;
  }
  EXPECT_EQ(refusal_of_text(std::string(5000, '%')), "bad, line 1: it is longer than 1024 letters");
  EXPECT_EQ(refusal_of_text(std::string("\x1b[2J\0%%MatrixMarket", 19)), wrong);
}

TEST_F(MatrixFile, IsRefusedIfItIsOfAnotherKind) {
  const auto refusal = [&](const std::string& kind) { return refusal_of_text("%%MatrixMarket matrix " + kind); };
  EXPECT_EQ(refusal("coordinate real general\n2 2 1\n1 1 5\n"),
            "bad, line 1: the matrix is sparse (coordinate); only dense (array) files are read");
  EXPECT_EQ(refusal("Coordinate pattern symmetric\n2 2 1\n1 1\n"),
            "bad, line 1: the matrix is sparse (coordinate); only dense (array) files are read");
  EXPECT_EQ(refusal("aray real general\n1 1\n1\n"), "bad, line 1: the format is 'aray'; only array is read");
  EXPECT_EQ(refusal("array complex general\n1 1\n1 2\n"),
            "bad, line 1: the numbers are 'complex'; only real and integer are read");
  EXPECT_EQ(refusal("array pattern general\n1 1\n"),
            "bad, line 1: the numbers are 'pattern'; only real and integer are read");
  EXPECT_EQ(refusal("array r\x1b[2Jeal general\n1 1\n1\n"),
            "bad, line 1: the numbers are 'r?[2jeal'; only real and integer are read");
  for (const std::string symmetry : {"symmetric", "skew-symmetric", "hermitian"}) {
    EXPECT_EQ(refusal("array real " + symmetry + "\n1 1\n1\n"),
              "bad, line 1: the matrix is '" + symmetry + "'; only general ones are read, with all their numbers");
  }
}

TEST_F(MatrixFile, IsRefusedWithoutGoodSizes) {
  const auto refusal = [&](const std::string& sizes) { return refusal_of_text(integers + "%\n" + sizes); };
  EXPECT_EQ(refusal(""), "bad, line 3: the file ends before the line of rows and columns");
  EXPECT_EQ(refusal("%\n\n"), "bad, line 5: the file ends before the line of rows and columns");
  EXPECT_EQ(refusal("2\n1\n2\n"), "bad, line 3: two numbers are needed, rows and columns, not 1");
  EXPECT_EQ(refusal("2 2 1\n1 1 5\n"), "bad, line 3: two numbers are needed, rows and columns, not 3");
  EXPECT_EQ(refusal("0 2\n"), "bad, line 3: rows '0' is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal("1 -2\n"),
            "bad, line 3: columns '-2' is not a whole number from 1 to 2147483648 "
            "(digits only: no sign, no leading zero)");
  EXPECT_EQ(refusal("1.0 2\n"),
            "bad, line 3: rows '1.0' is not a whole number from 1 to 2147483648 "
            "(digits only: no sign, no leading zero)");
  EXPECT_EQ(refusal("two 2\n"),
            "bad, line 3: rows 'two' is not a whole number from 1 to 2147483648 "
            "(digits only: no sign, no leading zero)");
  EXPECT_EQ(refusal("99999999999999999999 1\n"),
            "bad, line 3: rows '99999999999999999999' is out of range: 1 to 2147483648");
}

// No memory is allocated for numbers that cannot be in the file: these would need 16 GiB, or more than the address
// space.
TEST_F(MatrixFile, IsRefusedIfItIsTooShortForItsSizes) {
  EXPECT_EQ(refusal_of_text(integers + "1 2147483648\n1\n"),
            "bad, line 2: a 1x2147483648 matrix does not fit the file, which has 59 bytes");
  EXPECT_EQ(refusal_of_text(integers + "2147483648 2147483648\n1\n"),
            "bad, line 2: a 2147483648x2147483648 matrix has more than 2147483648 numbers");
  EXPECT_EQ(refusal_of_text(integers + "65536 32769\n1\n"),
            "bad, line 2: a 65536x32769 matrix has more than 2147483648 numbers");
}

TEST_F(MatrixFile, IsRefusedIfItHasTooFewOrTooManyNumbers) {
  EXPECT_EQ(refusal_of_text(integers + "2 2\n1\n2\n3"),
            "bad, line 5: the file ends after 3 of the 4 numbers of a 2x2 matrix");
  EXPECT_EQ(refusal_of_text(integers + "2 2\n"), "bad, line 3: the file ends after 0 of the 4 numbers of a 2x2 matrix");
  EXPECT_EQ(refusal_of_text(integers + "2 2"), "bad, line 3: the file ends after 0 of the 4 numbers of a 2x2 matrix");
  EXPECT_EQ(refusal_of_text(integers + "2 2\n1\n2\n3\n4\n\n5\n"),
            "bad, line 8: '5' follows the 4 numbers of a 2x2 matrix");
}

TEST_F(MatrixFile, NamesTheLineAndTheTextThatIsWrong) {
  const auto refusal = [&](const std::string& numbers) { return refusal_of_text(reals + "2 1\n" + numbers); };
  EXPECT_EQ(refusal("1\nfour\n"), "bad, line 4: 'four' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal("\n\n1,5\n2\n"), "bad, line 5: '1,5' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal("1\n% 2\n2\n"), "bad, line 4: '%' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal("nan\n1\n"), "bad, line 3: 'nan' is not finite");
  EXPECT_EQ(refusal("1\n-inf\n"), "bad, line 4: '-inf' is not finite");
  EXPECT_EQ(refusal("1e999\n1\n"), "bad, line 3: '1e999' is out of a double's range");
  EXPECT_EQ(refusal(std::string("1\n2\0\n", 5)), "bad, line 4: '2?' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal("1\n\x1b[2J\n"), "bad, line 4: '?[2J' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text(integers + "1 1\n9223372036854775808\n"),
            "bad, line 3: '9223372036854775808' does not fit 64 bits");
  EXPECT_EQ(refusal_of_text(integers + "2 1\n1\n2.0\n"),
            "bad, line 4: '2.0' is no integer, though line 1 states integer; use real for such numbers");
}

// Other formats have one row a line: read as columns, it would be another matrix.
TEST_F(MatrixFile, IsRefusedWithTwoNumbersOnALine) {
  EXPECT_EQ(refusal_of_text(integers + "2 2\n1 2\n3 4\n"),
            "bad, line 3: '2' is not alone: numbers are one a line, column by column");
  EXPECT_EQ(refusal_of_text(integers + "2 2\n1\n2\n3\n4 5\n"),
            "bad, line 6: '5' is not alone: numbers are one a line, column by column");
}

TEST_F(MatrixFile, IsRefusedWhereItCannotBeReadOrWritten) {
  EXPECT_EQ(refusal_of([&] { read_matrix(path("none")); }), "cannot read 'none': No such file or directory");
  fs::create_directory(path("inside"));
  EXPECT_EQ(refusal_of([&] { scan_matrix(path("inside")); }), "cannot read 'inside': it is a directory");
  EXPECT_EQ(refusal_of([] { read_matrix("/dev/zero"); }),
            "cannot read '/dev/zero': it is no regular file, and it has to be read several times");
  const Matrix one{.size = {1, 1}, .type = NumberType::int64, .words = {1}};
  EXPECT_EQ(refusal_of([&] { write_matrix(path("none/new"), one); }),
            "cannot write 'none/new': No such file or directory");
  EXPECT_EQ(refusal_of([&] { write_matrix("-", one); }),
            "cannot write '-': data goes to a file with a name, not to standard output");
}

TEST_F(MatrixFile, IsReadAsItWasWritten) {
  Matrix whole{.size = {3, 2}, .type = NumberType::int64, .words = std::vector<Word>(6)};
  whole.at(2, 0) = word(std::numeric_limits<std::int64_t>::min());
  whole.at(0, 1) = word(std::int64_t{-1});
  write_matrix(path("whole"), whole);
  EXPECT_EQ(text_of(path("whole")), integers + "% written by Lockstep\n3 2\n0\n0\n-9223372036854775808\n-1\n0\n0\n");
  EXPECT_EQ(read_matrix(path("whole")), whole);

  const Matrix doubles{
      .size = {1, 4}, .type = NumberType::float64, .words = {word(1.0), word(-0.0), word(0.1), word(5e-324)}};
  write_matrix(path("doubles"), doubles);
  EXPECT_EQ(text_of(path("doubles")), reals + "% written by Lockstep\n1 4\n1.0\n-0.0\n0.1\n5e-324\n");
  EXPECT_EQ(read_matrix(path("doubles")), doubles);

  // A file is replaced, also through a link, and nothing else is left behind.
  fs::create_symlink("whole", path("link"));
  write_matrix(path("link"), doubles);
  EXPECT_EQ(read_matrix(path("whole")), doubles);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(files(), (std::vector<std::string>{"doubles", "link", "whole"}));
}

TEST_F(MatrixFile, IsReadAsItWasWrittenWhateverItsNumbersAre) {
  std::mt19937_64 random(5);
  for (const NumberType type : {NumberType::int64, NumberType::float64}) {
    for (const MatrixSize size : {MatrixSize{64, 16}, MatrixSize{1, 500}, MatrixSize{500, 1}}) {
      Matrix matrix{.size = size, .type = type, .words = {}};
      while (matrix.words.size() < size.rows * size.columns) {
        const Word bits = random();
        if (type == NumberType::int64 || std::isfinite(std::bit_cast<double>(bits))) matrix.words.push_back(bits);
      }
      write_matrix(path("matrix"), matrix);
      EXPECT_EQ(read_matrix(path("matrix")), matrix);
    }
  }
}

}  // namespace
}  // namespace lockstep::matrix_file_test
