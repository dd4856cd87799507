// `lockstep new`: the files that it writes, their texts, and refusals. tests/consumer/new_project/run tests that they
// build.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "command_line.hpp"

namespace lockstep::test::new_test {
namespace {

constexpr const char* operations =
    "broadcast, reduce, scan, gather, scatter, allgather, alltoall, transpose, sort, barrier";

class New : public testing::Test {
 protected:
  Finished run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{"new"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return lockstep(words, [this] {
      if (chdir(directory_.path().c_str()) != 0) _exit(98);
    });
  }
  std::string text(const std::string& name) const { return read_file(directory_.file(name)); }
  /// Expects a refusal with all these parts, and no file left behind.
  void expect_nothing(const std::vector<std::string>& arguments, const std::vector<std::string>& said) const {
    const std::vector<std::string> before = directory_.files();
    expect_refused(run(arguments), said);
    EXPECT_EQ(directory_.files(), before);
  }

  const TemporaryDirectory directory_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(New, WritesAProject) {
  const Finished run = this->run({"mine", "--operation", "allgather"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out,
            "mine/mine.cpp is an allgather to be written. To build and judge it:\n"
            "  cd mine\n"
            "  cmake --preset release\n"
            "  cmake --build --preset release\n"
            "  build/release/mine judge\n");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.file("mine"))) {
    files.push_back(entry.path().filename());
  }
  std::ranges::sort(files);
  EXPECT_EQ(files,
            (std::vector<std::string>{".gitignore", "CMakeLists.txt", "CMakePresets.json", "README.md", "mine.cpp"}));
  EXPECT_EQ(directory_.files(), std::vector<std::string>{"mine"});
  EXPECT_EQ(text("mine/mine.cpp"),
            R"(// allgather/mine: an allgather on hypercube:N (N-cube, 2^N processors).
// Where port p leads: rank xor 2^p.
#include <lockstep/algorithms/operation/collection.hpp>
#include <lockstep/command/command.hpp>

using namespace lockstep;

// Every processor runs this program.
//   at first      held has this processor's own block
//   in the end    held has the blocks of all processors, each once
//
// A processor knows only itself, and learns of others by messages:
//   self.rank(), self.processors()                        its number, and the number of all
//   self.ports(), self.has_link(port)                     its ports are 0 .. ports() - 1; some may have no link
//   self.send(port, payload);                             it arrives in the next cycle
//   co_await self.message(port)                           waits for the next message; self.message(): on any port
//   co_await self.exchange(port, payload)                 sends, and waits for the message from there
//   co_await self.cycle();                                ends the cycle; in one it may send and receive one message
// With the data of this operation:
//   self.send(port, Bundle(held.piece(source)));          the block of that rank; held.has(source): whether it is here
//   Bundle some; some.add(held.piece(source)); ..         several blocks as one message: self.send(port, some);
//   held.add((co_await self.message(port)).payload);
Process program(Processor<Bundle>& self, allgather::Collection& held) {
  // Write your program here. As it stands no processor sends anything, and none receives what it lacks.
  co_return;
}

int main(int argc, char** argv) {
  return command(argc, argv,
                 {.methods = {allgather::own_method<program>("allgather/mine", {"hypercube"})},
                  .sizes = {"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5",
                            "hypercube:6"}});
}
)");
}

TEST_F(New, NamesTheProjectInAllItsFiles) {
  EXPECT_EQ(run({"round-2", "--operation", "broadcast", "--machine", "ring"}).exit_code, 0);
  EXPECT_TRUE(has(text("round-2/round-2.cpp"), R"("broadcast/round-2", {"ring"})"));
  EXPECT_TRUE(has(text("round-2/round-2.cpp"), R"(.sizes = {"ring:1", "ring:2", "ring:3", )"));
  EXPECT_TRUE(has(text("round-2/round-2.cpp"), "// Where port p leads: 0 = rank + 1, 1 = rank - 1.\n"));
  const std::string cmake_lists = text("round-2/CMakeLists.txt");
  EXPECT_TRUE(has(cmake_lists, "project(round-2 LANGUAGES CXX)"));
  EXPECT_TRUE(has(cmake_lists, "add_test(NAME judge COMMAND round-2 judge)"));
  const auto place = std::filesystem::path(LOCKSTEP_COMMAND).parent_path().parent_path();
  EXPECT_TRUE(has(cmake_lists, "HINTS [[" + std::filesystem::canonical(place).string() + "]]"));
  EXPECT_TRUE(has(text("round-2/README.md"),
                  "# round-2\n\nA broadcast of your own on ring:M (ring of M processors), for Lockstep.\n"));
  EXPECT_TRUE(has(text("round-2/README.md"),
                  "build/release/round-2 trace --machine ring:6 --algorithm broadcast/round-2 --html page.html\n"));
  const auto presets = nlohmann::json::parse(text("round-2/CMakePresets.json"));
  EXPECT_EQ(presets["configurePresets"][0]["name"], "release");
  EXPECT_EQ(presets["configurePresets"][1]["name"], "asan");
  for (const std::string file : {"CMakeLists.txt", "CMakePresets.json", "README.md", "round-2.cpp"}) {
    EXPECT_FALSE(has(text("round-2/" + file), "@")) << file;  // no placeholder is left
  }
}

TEST_F(New, KnowsEveryOperationOnEveryFamily) {
  for (const std::string operation :
       {"broadcast", "reduce", "scan", "gather", "scatter", "allgather", "alltoall", "transpose", "sort", "barrier"}) {
    EXPECT_EQ(run({"my-" + operation, "--operation", operation}).exit_code, 0);
    const std::string program = text("my-" + operation + "/my-" + operation + ".cpp");
    EXPECT_TRUE(has(program, "\"" + operation + "/my-" + operation + "\""));
    for (const std::string& line : lines(program)) {
      EXPECT_LE(line.size(), 120U) << line;
    }
  }
  for (const std::string family : {"hypercube",
                                   "incomplete-hypercube",
                                   "rh",
                                   "ring",
                                   "path",
                                   "complete",
                                   "torus",
                                   "mesh",
                                   "product",
                                   "ccc",
                                   "shuffle-exchange",
                                   "star",
                                   "pancake",
                                   "circulant",
                                   "bus",
                                   "switch",
                                   "omega",
                                   "inverse-omega",
                                   "indirect-cube",
                                   "data-manipulator"}) {
    EXPECT_EQ(run({"on-" + family, "--operation", "broadcast", "--machine", family}).exit_code, 0) << family;
    EXPECT_TRUE(has(text("on-" + family + "/on-" + family + ".cpp"), ".sizes = {\"" + family + ":")) << family;
  }
  EXPECT_TRUE(has(text("on-bus/on-bus.cpp"), "// There are no ports; "));
  EXPECT_FALSE(has(text("on-bus/on-bus.cpp"), "self.ports()"));
  // A transposition is cut into a power of two of blocks.
  EXPECT_EQ(run({"turn", "--operation", "transpose", "--machine", "torus"}).exit_code, 0);
  EXPECT_TRUE(has(text("turn/turn.cpp"), R"(.sizes = {"torus:1x1", "torus:2x2", "torus:8x8"})"));
}

// The program is judged on the graph, wherever the project is built.
TEST_F(New, TakesAGraph) {
  write_file(directory_.file("a \"b\".edges"), "0 1\n1 2\n2 0\n");
  const Finished run =
      this->run({"mine", "--operation", "alltoall", "--machine", "graph:a \"b\".edges?multigraph=merge"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string place = std::filesystem::canonical(directory_.path()).string();
  EXPECT_TRUE(has(text("mine/mine.cpp"), R"("alltoall/mine", {"graph"})")) << text("mine/mine.cpp");
  EXPECT_TRUE(has(text("mine/mine.cpp"), ".sizes = {\"graph:" + place + R"(/a \"b\".edges?multigraph=merge"}});)"))
      << text("mine/mine.cpp");
  EXPECT_TRUE(has(text("mine/README.md"),
                  "trace --machine 'graph:" + place + "/a \"b\".edges?multigraph=merge' --algorithm alltoall/mine"));
}

TEST_F(New, RefusesBadRequests) {
  expect_nothing({}, {"new needs a name, e.g. lockstep new mine --operation allgather"});
  expect_nothing({"mine"}, {"new needs --operation, one of ", operations});
  expect_nothing({"mine", "--operation", "allgathr"},
                 {"--operation 'allgathr' is not one of ", operations, "did you mean 'allgather'?"});
  expect_nothing({"mine", "--operation", "route"}, {"--operation 'route' is not one of ", operations});
  expect_nothing({"mine", "--operation", "scan", "--machine", "hypercub"},
                 {"--machine 'hypercub' is not one of hypercube, incomplete-hypercube, ", "did you mean 'hypercube'?"});
  expect_nothing({"mine", "--operation", "scan", "--machine", "graph"}, {"--machine graph needs its file"});
  expect_nothing({"mine", "--operation", "scan", "--machine", "graph:none"}, {"none", "No such file"});
  expect_nothing({"mine", "--operation", "scan", "--machine", "graph:-"}, {"graph:-", "it must be a file"});
  expect_nothing(
      {"turn", "--operation", "transpose", "--machine", std::string("graph:") + LOCKSTEP_GRAPHS + "/petersen.json"},
      {"transpose is for machines whose processors are a power of two; ", "petersen.json has 10"});
  for (const std::string family : {"torus:4x4", "shared"}) {
    expect_nothing({"mine", "--operation", "scan", "--machine", family}, {"--machine '" + family + "' is not one of "});
  }
  for (const std::string name : {"Mine", "1st", "a_b", "a/b", "..", "a b", "a.b", "é"}) {
    expect_nothing({name, "--operation", "scan"}, {"is not a lower-case letter followed by lower-case letters"});
  }
  expect_nothing({std::string(65, 'a'), "--operation", "scan"}, {"at most 64"});
  expect_nothing({"test", "--operation", "scan"}, {"the name 'test' is reserved by CMake"});
  expect_nothing({"sbt", "--operation", "broadcast"}, {"the name 'sbt' is taken: broadcast/sbt is in the catalogue"});
  expect_nothing({"mine", "yours", "--operation", "scan"}, {"unexpected argument 'yours'"});
}

TEST_F(New, LeavesWhatIsThereAsItIs) {
  EXPECT_EQ(run({"mine", "--operation", "scan"}).exit_code, 0);
  const std::string before = text("mine/mine.cpp");
  expect_nothing({"mine", "--operation", "sort"}, {"'mine'", "it exists already"});
  EXPECT_EQ(text("mine/mine.cpp"), before);
  write_file(directory_.file("notes"), "mine");
  expect_nothing({"notes", "--operation", "sort"}, {"'notes'", "it exists already"});
  std::filesystem::create_symlink("nowhere", directory_.file("link"));
  expect_nothing({"link", "--operation", "sort"}, {"'link'", "it exists already"});
}

// The directory is not writable, or the disk becomes full half-way.
TEST_F(New, LeavesNothingBehindIfItFails) {
  const auto limited = [this](const std::function<void()>& limit) {
    return lockstep({"new", "mine", "--operation", "scan"}, [&] {
      if (chdir(directory_.path().c_str()) != 0) _exit(98);
      limit();
    });
  };
  expect_refused(limited([] {
                   const rlimit few_bytes{1000, 1000};
                   setrlimit(RLIMIT_FSIZE, &few_bytes);
                 }),
                 {"'mine'", "File too large"});
  expect_refused(limited([] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }),
                 {"standard output", "No space left"});
  EXPECT_EQ(directory_.files(), std::vector<std::string>{});
}

}  // namespace
}  // namespace lockstep::test::new_test
