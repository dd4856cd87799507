// The modelled times equal LogGOPSim's for the files that `trace --goal` writes, recorded when LogGOPSim itself
// (spcl/LogGOPSim 76451de) simulated these files on 26 November 2026; the files are still the same. LogGOPSim is not in
// Debian. After a change of a file, simulate it again (docs/traces.md has the two commands) and store the result.
#include <gtest/gtest.h>

#include <cstdint>
#include <iomanip>
#include <sstream>

#include "../cli/command_line.hpp"

namespace lockstep::test::loggopsim_test {
namespace {

/// A run, simulated with -L `beta` -g `gap` -G `tau` -o 0 -O 0 -S 1073741824. Without a gap and costs of words a
/// processor of LogGOPSim sends and receives any number of messages at once, as with all ports.
struct SimulatedRun {
  std::string flags;
  std::uint64_t beta;
  std::uint64_t gap;
  std::uint64_t tau;
  std::uint64_t time;  ///< LogGOPSim's
  std::string digest;  ///< of the file that it simulated
};

/// FNV-1a of 64 bits, as 16 hexadecimal digits.
std::string digest_of(const std::string& text) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const char letter : text) digest = (digest ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  std::ostringstream digits;
  digits << std::hex << std::setfill('0') << std::setw(16) << digest;
  return digits.str();
}

const std::vector<SimulatedRun> runs{
    {"--machine hypercube:4 --algorithm broadcast/sbt --words 5", 1000, 1000, 7, 4140, "4a425cc11487fc69"},
    {"--machine hypercube:4 --algorithm broadcast/sbt --words 5 --root 5", 1000, 1000, 7, 4140, "e23419da63266471"},
    {"--machine hypercube:4 --algorithm gather/sbt --words 5", 1000, 1000, 7, 4525, "06e9a99568f9be7e"},
    {"--machine hypercube:4 --algorithm scatter/sbt --words 5", 1000, 1000, 7, 4525, "a62f56c59335aaa2"},
    {"--machine hypercube:4 --algorithm allgather/adea --words 5", 1000, 1000, 7, 4525, "820a344c496911e6"},
    {"--machine hypercube:10 --algorithm allgather/adea --words 5", 1000, 1000, 7, 45805, "2441ec5ea6ede1b7"},
    {"--machine ring:8 --algorithm allgather/daisy-chain --words 5", 1000, 1000, 7, 7245, "6a3fa97f53dc0383"},
    {"--machine hypercube:5 --algorithm alltoall/exchange --words 5", 1000, 1000, 7, 7800, "78d136fc115996ae"},
    {"--machine torus:4x4 --algorithm allgather/two-pass --words 3", 250, 250, 3, 1635, "63e2bd1070b97085"},
    {"--machine rh:2,1 --algorithm scatter/tree --words 3", 250, 250, 3, 1707, "cf253ec60d4ba814"},
    {"--machine rh:2,1 --algorithm gather/tree --words 3", 250, 250, 3, 1707, "235751e0d0f82b5a"},
    {"--machine rh:2,1 --algorithm reduce/tree --words 3", 250, 250, 3, 1554, "9301acd79569bea9"},
    {"--machine hypercube:4 --algorithm allreduce/tree --words 6", 250, 250, 3, 2144, "d87179ec7be59186"},
    {"--machine hypercube:4 --algorithm scan/cube --words 6", 250, 250, 3, 1072, "2472115253736035"},
    {"--machine switch:7 --algorithm alltoall/bruck --words 2", 250, 250, 3, 804, "a680afe126ddf548"},
    {"--machine switch:8 --algorithm allreduce/rabenseifner --words 16", 250, 250, 3, 1584, "9534b1da433b3554"},
    {"--machine switch:7 --algorithm allreduce/ring --words 14", 250, 250, 3, 3072, "3c3aa1883f948f44"},
    {"--machine switch:7 --algorithm allreduce/circulant --words 14", 250, 250, 3, 1572, "8d16b655484559f5"},
    {"--machine switch:9 --algorithm reduce-scatter/pairwise --words 18", 250, 250, 3, 2048, "a3de1ca977f4165f"},
    {"--machine switch:7 --algorithm allgather/circulant --words 4", 250, 250, 3, 822, "0158401ebc7027ad"},
    {"--machine switch:11 --algorithm barrier/dissemination", 250, 250, 3, 1000, "23a5bacbeb261880"},
    {"--machine switch:9 --algorithm exscan/123-doubling --words 2", 250, 250, 3, 1024, "c7bbd199b12d83be"},
    {"--machine switch:9 --algorithm scan/doubling --words 2", 250, 250, 3, 1024, "8cd449b7c0e49469"},
    {"--machine complete:6 --algorithm broadcast/circulant --words 12", 250, 250, 3, 858, "6545e60b01df05b7"},
    {"--machine hypercube:4 --algorithm transpose/1d-exchange", 250, 250, 3, 1096, "d6c093b19126c641"},
    {"--machine ccc:3 --algorithm alltoall/cayley --words 1", 250, 250, 3, 18722, "521bbfe9ced8338b"},
    {"--machine star:4 --algorithm broadcast/bfs-tree --words 5", 250, 250, 3, 1590, "b42568d535d0ad07"},
    {"--machine mesh:3x4 --algorithm broadcast/bfs-tree --words 4", 250, 250, 3, 1310, "b9392c77f586965b"},
    {"--machine ring:9 --algorithm scatter/two-way --words 2 --ports all", 250, 0, 0, 1000, "d41c681a07ba89bb"},
    {"--machine torus:5x4 --algorithm broadcast/two-phase --words 12", 250, 0, 0, 1000, "f826cf8428766ff4"},
    {"--machine hypercube:4 --algorithm broadcast/msbt --words 8 --ports all", 250, 0, 0, 1250, "ba2b0cbb6cf8998d"},
    {"--machine hypercube:4 --algorithm alltoall/sbnt --words 2 --ports all", 250, 0, 0, 1000, "fcc206267af83259"},
    {"--machine hypercube:4 --algorithm allgather/tea2 --words 2 --ports all", 250, 0, 0, 1000, "3340e35cb68326db"},
    {"--machine torus:4x4 --algorithm allgather/torus --words 4 --ports all", 250, 0, 0, 1500, "e575305dcd68cc96"}};

TEST(LogGopSim, SimulatedTheseVeryFilesInTheModelledTimes) {
  for (const SimulatedRun& run : runs) {
    SCOPED_TRACE(run.flags);
    const TemporaryDirectory directory;
    const Finished traced = lockstep("trace " + run.flags + " --beta " + std::to_string(run.beta) + " --tau " +
                                     std::to_string(run.tau) + " --json - --goal " + directory.file("goal"));
    ASSERT_EQ(traced.exit_code, 0) << traced.err;
    EXPECT_EQ(nlohmann::json::parse(traced.out)["modelled_time"]["asynchronous"], run.time);
    EXPECT_EQ(digest_of(read_file(directory.file("goal"))), run.digest);
  }
}

TEST(LogGopSim, DigestsTellFilesApart) {
  EXPECT_EQ(digest_of(""), "cbf29ce484222325");  // as the authors of FNV publish them
  EXPECT_EQ(digest_of("foobar"), "85944171f73967e8");
  const std::string trace = "trace --machine ring:3 --algorithm allgather/daisy-chain --goal - --words ";
  EXPECT_NE(digest_of(lockstep(trace + "4").out), digest_of(lockstep(trace + "5").out));
}

}  // namespace
}  // namespace lockstep::test::loggopsim_test
