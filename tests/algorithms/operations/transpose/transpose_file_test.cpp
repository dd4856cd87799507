// Matrices from Matrix Market files: read, transposed or converted, and written again.
#include <sstream>

#include "data_directory.hpp"
#include "lockstep/algorithms/matrix_file.hpp"
#include "transposition.hpp"

namespace lockstep::transpose_file_test {
namespace {

using TransposeFile = DataDirectory;

/// A Matrix Market file of that size whose element (u,v) is first + 1000 u + v followed by the suffix.
std::string matrix_text(const char* type, std::uint64_t rows, std::uint64_t columns, const std::string& suffix) {
  std::ostringstream text;
  text << "%%MatrixMarket matrix array " << type << " general\n" << rows << " " << columns << "\n";
  for (std::uint64_t v = 0; v < columns; ++v) {
    for (std::uint64_t u = 0; u < rows; ++u) text << 1000 * u + v << suffix << "\n";
  }
  return text.str();
}

/// All methods that transpose a matrix of 16 x 32 on a machine.
const std::vector<std::pair<const char*, const char*>> transpositions{
    {"transpose/1d-exchange", "hypercube:3"},
    {"transpose/1d-unbuffered", "hypercube:3"},
    {"transpose/1d-buffered", "hypercube:3"},
    {"transpose/1d-sbnt", "hypercube:3"},
    {"transpose/2d-spt", "hypercube:4"},
    {"transpose/2d-spt-pipelined", "hypercube:4"},
    {"transpose/2d-dpt", "hypercube:4"},
    {"transpose/2d-mpt", "hypercube:4"},
    {"transpose/2d-pivot", "hypercube:4"},
    {"transpose/reassign-1", "hypercube:4"},
    {"transpose/reassign-2", "hypercube:4"},
    {"transpose/reassign-3", "hypercube:4"},
    {"transpose/gray-mixed", "hypercube:4"},
    {"transpose/gray-mixed-naive", "hypercube:4"},
    {"transpose/gray-mixed-pipelined", "hypercube:4"},
    {"transpose/binary-to-gray", "hypercube:4"},
    {"transpose/gray-to-binary", "hypercube:4"},
    {"transpose/shuffles", "shuffle-exchange:9"},
};

TEST_F(TransposeFile, WritesTheTransposedOfWhatItReads) {
  for (const char* type : {"integer", "real"}) {
    const bool real = type == std::string("real");
    const std::string input = file("a.mtx", matrix_text(type, 16, 32, real ? ".25" : ""));
    for (const auto& [method, machine] : transpositions) {
      SCOPED_TRACE(method);
      Settings settings;
      settings.input = input;
      settings.output = path("at.mtx");
      const BuiltMachine built(machine);
      EXPECT_EQ(built.run(method, built.method(method).defaults, settings).wrong, "");
      const Matrix matrix = read_matrix(path("at.mtx"));
      EXPECT_EQ(matrix.size, (MatrixSize{32, 16}));
      EXPECT_EQ(matrix.type, real ? NumberType::float64 : NumberType::int64);
      const Matrix original = read_matrix(input);
      for (std::uint64_t u = 0; u < 16; ++u) {
        for (std::uint64_t v = 0; v < 32; ++v) ASSERT_EQ(matrix.at(v, u), original.at(u, v));
      }
    }
  }
}

TEST_F(TransposeFile, TakesVirtualColumns) {
  const std::string input = file("a.mtx", matrix_text("integer", 16, 2, ""));
  for (const auto& [method, machine] :
       {std::pair{"transpose/1d-virtual", "hypercube:3"}, {"transpose/2d-virtual", "hypercube:4"}}) {
    Settings settings;
    settings.input = input;
    settings.output = path("at.mtx");
    EXPECT_EQ(BuiltMachine(machine).run(method, model_of(PortModel::one), settings).wrong, "");
    std::string right = matrix_text("integer", 2, 16, "");
    const Matrix matrix = read_matrix(path("at.mtx"));
    for (std::uint64_t u = 0; u < 16; ++u) EXPECT_EQ(matrix.at(1, u), 1000 * u + 1);
  }
}

TEST_F(TransposeFile, WritesAConvertedMatrixAsItWas) {
  const std::string input = file("a.mtx", matrix_text("integer", 16, 32, ""));
  Settings settings;
  settings.input = input;
  settings.output = path("same.mtx");
  settings.from = "row-consecutive";
  settings.to = "gray:column-cyclic";
  EXPECT_EQ(BuiltMachine("hypercube:3").run("convert/exchange", model_of(PortModel::one), settings).wrong, "");
  EXPECT_EQ(read_matrix(path("same.mtx")), read_matrix(input));
}

TEST_F(TransposeFile, RefusesFilesThatDoNotFit) {
  const auto refused = [&](const std::string& text, std::optional<MatrixSize> size = {}) {
    Settings settings;
    settings.input = file("a.mtx", text);
    settings.matrix = size;
    return refusal_of([&] {
      const MachineSpec machine = parse_machine("hypercube:3");
      find_method("transpose/1d-exchange", "hypercube").resolve(machine, {}, settings);
    });
  };
  EXPECT_EQ(refused(matrix_text("integer", 16, 32, ""), MatrixSize{32, 16}),
            "--matrix 32x16 does not fit a.mtx, which is 16x32");
  EXPECT_EQ(refused(matrix_text("integer", 16, 32, ""), MatrixSize{16, 32}), "");
  EXPECT_EQ(refused(matrix_text("integer", 16, 24, "")),
            "a.mtx (16x24): 24 columns are no power of two; 16 or 32 would fit");
  EXPECT_EQ(refused(matrix_text("integer", 4, 8, "")),
            "a.mtx (4x8) is too small for hypercube:3, which takes at least 8x8");
  Settings small;
  small.input = file("small.mtx", matrix_text("integer", 4, 4, ""));
  EXPECT_EQ(refusal_of([&] {
              find_method("transpose/2d-pivot", "hypercube").resolve(parse_machine("hypercube:4"), {}, small);
            }),
            "small.mtx (4x4) is too small: it gives a processor of hypercube:4 1 word, and its parts take at least 2");
  EXPECT_NE(refused("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 3\n").find("sparse"), std::string::npos);
  EXPECT_NE(refused("1 2 3\n"), "");
}

TEST_F(TransposeFile, DoesNotWriteWhatWentWrong) {
  Settings settings = matrix_settings(8, 8);
  settings.output = path("at.mtx");
  bool done = false;
  const Outcome outcome =
      BuiltMachine("hypercube:3")
          .run("transpose/1d-exchange", model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 3, &done});
  EXPECT_TRUE(done);
  EXPECT_NE(outcome.wrong.find("holds something else than element ("), std::string::npos) << outcome.wrong;
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace lockstep::transpose_file_test
