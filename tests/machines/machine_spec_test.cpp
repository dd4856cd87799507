#include "lockstep/machines/machine_spec.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "../temporary_directory.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::machine_spec_test {
namespace {

std::string list_of_families() {
  std::string text = "the families are ";
  for (const MachineFamily& family : machine_families()) {
    text += (&family == &machine_families().front() ? "" : ", ") + family.name;
  }
  return text;
}
const std::string families = list_of_families();
const std::string write_hypercube = "write hypercube:N, N from 0 to 31, e.g. hypercube:4";
const std::string write_incomplete_hypercube =
    "write incomplete-hypercube:N+M, N from 1 to 31, M from 0 to N-1, or hypercube:N+M, e.g. incomplete-hypercube:4+2";
const std::string write_rh = "write rh:K,N, K >= N >= 0 and K + 2^N at most 31, e.g. rh:2,1";
const std::string write_ring = "write ring:M, M from 1 up, e.g. ring:5";
const std::string write_torus = "write torus:AxBxC.., sides from 1 up, e.g. torus:4x5";
const std::string write_product =
    "write product:F*F*.., factors any machines with links, but no products, e.g. "
    "product:ring:5*complete:4*hypercube:2";
const std::string write_ccc = "write ccc:D, D from 3 to 27, e.g. ccc:3";
const std::string write_shuffle_exchange = "write shuffle-exchange:N, N from 1 to 31, e.g. shuffle-exchange:4";
const std::string write_star = "write star:N, N from 2 to 10, e.g. star:4";
const std::string write_circulant =
    "write circulant:M,S,T.., M from 2 up, strides from 1 to M-1, no S beside M-S, no factor common to M and all "
    "strides, e.g. circulant:8,1,3";
const std::string write_graph =
    "write graph:FILE, FILE a connected undirected graph as edges (CSV too), adjacency list, JSON, GraphML, GML, DOT, "
    "Pajek, METIS, Matrix Market, DIMACS, graph6, topology of NCCL or RCCL or anynet file of BookSim, e.g. "
    "graph:petersen.json";

std::string complaint(const std::string& text) {
  try {
    parse_machine(text);
  } catch (const MachineSpecError& error) {
    return error.what();
  }
  return "no complaint";
}

void expect_complaint(const std::string& text, const std::string& what) {
  EXPECT_EQ(complaint(text), "machine \"" + text + "\": " + what);
}

TEST(MachineSpec, HoldsParametersAndSizes) {
  const MachineSpec cube = parse_machine("hypercube:10");
  EXPECT_EQ(cube.text, "hypercube:10");
  EXPECT_EQ(cube.family, "hypercube");
  EXPECT_EQ(cube.parameters, (std::vector<std::uint64_t>{10}));
  EXPECT_TRUE(cube.factors.empty());
  EXPECT_EQ(cube.processors, 1024U);
  EXPECT_EQ(cube.ports, 10U);

  const MachineSpec reduced = parse_machine("rh:5,2");
  EXPECT_EQ(reduced.parameters, (std::vector<std::uint64_t>{5, 2}));
  EXPECT_EQ(reduced.processors, 512U);  // 2^(5 + 2^2)
  EXPECT_EQ(reduced.ports, 6U);

  const MachineSpec torus = parse_machine("torus:4x1x6");
  EXPECT_EQ(torus.parameters, (std::vector<std::uint64_t>{4, 1, 6}));
  ASSERT_EQ(torus.factors.size(), 3U);
  EXPECT_EQ(torus.factors[2], parse_machine("ring:6"));
  EXPECT_EQ(torus.processors, 24U);
  EXPECT_EQ(torus.ports, 6U);

  EXPECT_EQ(parse_machine("mesh:4x5").factors[1], parse_machine("path:5"));

  const MachineSpec product = parse_machine("product:torus:3x3*complete:4*hypercube:0");
  EXPECT_TRUE(product.parameters.empty());
  ASSERT_EQ(product.factors.size(), 3U);
  EXPECT_EQ(product.factors[0], parse_machine("torus:3x3"));
  EXPECT_EQ(product.processors, 36U);
  EXPECT_EQ(product.ports, 4U + 3U + 0U);
}

TEST(MachineSpec, HoldsSizesOfCubeLikeAndCayleyGraphs) {
  const MachineSpec ccc = parse_machine("ccc:5");
  EXPECT_EQ(ccc.parameters, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(ccc.processors, 160U);  // 5 * 2^5
  EXPECT_EQ(ccc.ports, 3U);

  for (const char* text : {"hypercube:10+8", "incomplete-hypercube:10+8"}) {
    const MachineSpec incomplete = parse_machine(text);
    EXPECT_EQ(incomplete.text, text);
    EXPECT_EQ(incomplete.family, "incomplete-hypercube");
    EXPECT_EQ(incomplete.parameters, (std::vector<std::uint64_t>{10, 8}));
    EXPECT_EQ(incomplete.processors, 1280U);
    EXPECT_EQ(incomplete.ports, 11U);
  }
  EXPECT_EQ(parse_machine("hypercube:31+30").processors, (std::uint64_t{1} << 31) + (std::uint64_t{1} << 30));
  const MachineSpec shuffle = parse_machine("shuffle-exchange:1");
  EXPECT_EQ(shuffle.family, "shuffle-exchange");
  EXPECT_EQ(shuffle.processors, 2U);
  EXPECT_EQ(shuffle.ports, 3U);

  const MachineSpec star = parse_machine("star:5");
  EXPECT_EQ(star.processors, 120U);
  EXPECT_EQ(star.ports, 4U);
  EXPECT_EQ(parse_machine("pancake:2").processors, 2U);
  EXPECT_EQ(parse_machine("pancake:2").ports, 1U);

  const MachineSpec circulant = parse_machine("circulant:12,5,1,6");
  EXPECT_EQ(circulant.parameters, (std::vector<std::uint64_t>{12, 5, 1, 6}));
  EXPECT_EQ(circulant.processors, 12U);
  EXPECT_EQ(circulant.ports, 6U);
}

TEST(MachineSpec, ProductsTakeFactorsWithCommas) {
  const MachineSpec product = parse_machine("product:circulant:8,1,3*rh:2,1*star:3");
  ASSERT_EQ(product.factors.size(), 3U);
  EXPECT_EQ(product.factors[0], parse_machine("circulant:8,1,3"));
  EXPECT_EQ(product.processors, 8U * 16U * 6U);
  EXPECT_EQ(product.ports, 4U + 3U + 2U);
}

TEST(MachineSpec, ReadsTheLargestMachines) {
  EXPECT_EQ(parse_machine("hypercube:31").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("rh:15,4").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("rh:30,0").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("ring:4294967294").processors, 4294967294U);
  EXPECT_EQ(parse_machine("complete:4294967294").ports, 4294967293U);
  EXPECT_EQ(parse_machine("mesh:65536x65535").processors, 4294901760U);
  EXPECT_EQ(parse_machine("ccc:27").processors, 3623878656U);
  EXPECT_EQ(parse_machine("shuffle-exchange:31").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("pancake:10").processors, 3628800U);
  EXPECT_EQ(parse_machine("circulant:4294967294,4294967293").processors, 4294967294U);
}

TEST(MachineSpec, IsTheSameMachineHoweverItIsWritten) {
  EXPECT_EQ(parse_machine("hypercube:4+2"), parse_machine("incomplete-hypercube:4+2"));
  EXPECT_NE(parse_machine("hypercube:4+2"), parse_machine("hypercube:4+1"));
  EXPECT_NE(parse_machine("torus:4x6"), parse_machine("mesh:4x6"));
  EXPECT_NE(parse_machine("torus:4x6"), parse_machine("torus:6x4"));
  EXPECT_NE(parse_machine("product:ring:3*ring:4"), parse_machine("product:ring:4*ring:3"));
  EXPECT_NE(parse_machine("bus:8"), parse_machine("bus:8,kstar=2"));
  EXPECT_NE(parse_machine("omega:4"), parse_machine("inverse-omega:4"));
  MachineSpec one;
  one.text = "own:1";
  one.family = "own";
  MachineSpec other = one;
  EXPECT_EQ(one, other);
  other.text = "own:2";
  EXPECT_NE(one, other) << "what the family reads is in its text alone";
}

TEST(MachineSpec, OfAGraphIsTheSameIfItsLinksAre) {
  const test::TemporaryDirectory directory;
  const auto machine = [&](const std::string& name, const std::string& edges) {
    std::ofstream(directory.file(name)) << edges;
    return parse_machine("graph:" + directory.file(name));
  };
  const MachineSpec path = machine("a.edges", "0 1\n1 2\n2 3\n");
  EXPECT_EQ(path, machine("b.edges", "1 2\n3 2\n1 0\n"));
  EXPECT_NE(path, machine("c.edges", "0 1\n0 2\n0 3\n"));
  EXPECT_NE(path, machine("a.edges", "0 2\n2 1\n1 3\n")) << "the file has changed";
}

TEST(MachineSpec, FamiliesDescribeThemselves) {
  std::filesystem::current_path(LOCKSTEP_GRAPHS);  // the directory of the example graph
  for (const MachineFamily& family : machine_families()) {
    SCOPED_TRACE(family.name);
    const MachineSpec example = parse_machine(family.example);
    EXPECT_EQ(example.text, family.example);
    EXPECT_EQ(example.family, family.name);
    EXPECT_EQ(&family_of(example), &family);
    EXPECT_TRUE(family.form.starts_with(family.name + ":"));
    EXPECT_FALSE(family.summary.empty());
    EXPECT_FALSE(family.ports.empty());
  }
}

// OwnMachines, among the tests of methods, tests that complete families are accepted.
TEST(MachineSpec, RefusesFamiliesThatLackSomethingOrAreThere) {
  const auto complaint_about = [](const MachineFamily& family) {
    try {
      add_machine_family(family);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  const MachineFamily& ring = family_of(parse_machine("ring:3"));
  MachineFamily family = ring;
  EXPECT_EQ(complaint_about(family), "machine family \"ring\" exists already");
  family.name = "";
  EXPECT_EQ(complaint_about(family), "a machine family without a name");
  family.name = "other";
  family.read = nullptr;
  EXPECT_EQ(complaint_about(family), "machine family \"other\" has no read or wiring");
  family.read = ring.read;
  family.wiring = nullptr;
  EXPECT_EQ(complaint_about(family), "machine family \"other\" has no read or wiring");
}

TEST(MachineSpec, NamesTheNearestFamily) {
  expect_complaint("hypercub:3", "unknown family \"hypercub\", did you mean hypercube?; " + families);
  expect_complaint("Hypercube:3", "unknown family \"Hypercube\", did you mean hypercube?; " + families);
  expect_complaint("TORUS:4x5", "unknown family \"TORUS\", did you mean torus?; " + families);
  expect_complaint("trous:4x5", "unknown family \"trous\", did you mean torus?; " + families);
  expect_complaint("cccc:4", "unknown family \"cccc\", did you mean ccc?; " + families);
  expect_complaint("shuffle:4", "unknown family \"shuffle\"; " + families);
  expect_complaint("shufle-exchange:4",
                   "unknown family \"shufle-exchange\", did you mean shuffle-exchange?; " + families);
  expect_complaint("stars:4", "unknown family \"stars\", did you mean star?; " + families);
  expect_complaint("pankace:4", "unknown family \"pankace\", did you mean pancake?; " + families);
  expect_complaint("circulent:8,1", "unknown family \"circulent\", did you mean circulant?; " + families);
  expect_complaint(" ring:4", "unknown family \" ring\", did you mean ring?; " + families);
  expect_complaint("banana:4", "unknown family \"banana\"; " + families);
  expect_complaint("4x5", "unknown family \"4x5\"; " + families);
  expect_complaint(":4", "unknown family \"\"; " + families);
  expect_complaint("", "nothing there; write FAMILY:PARAMETERS, e.g. hypercube:4; " + families);
}

TEST(MachineSpec, RefusesMalformedNumbers) {
  expect_complaint("hypercube", "no colon and parameters after \"hypercube\"; " + write_hypercube);
  expect_complaint("hypercube:", "N is missing; " + write_hypercube);
  expect_complaint("hypercube:-1", "N is \"-1\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:+1", "N is missing; " + write_hypercube);
  expect_complaint("hypercube:3+", "M is missing; " + write_hypercube);
  expect_complaint("hypercube:3+x", "M is \"x\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:3+2+1", "N+M joins two cubes; " + write_hypercube);
  expect_complaint("hypercube:3+3", "N+M joins an N-cube and a smaller M-cube, and M is 3; " + write_hypercube);
  expect_complaint("incomplete-hypercube:4", "N+M joins two cubes; " + write_incomplete_hypercube);
  expect_complaint("hypercube:010", "N is \"010\", with a leading zero; " + write_hypercube);
  expect_complaint("hypercube:00", "N is \"00\", with a leading zero; " + write_hypercube);
  expect_complaint("hypercube:3x", "N is \"3x\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:3 ", "N is \"3 \", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube: 3", "N is \" 3\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:1e3", "N is \"1e3\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:0x3", "N is \"0x3\", not a plain whole number; " + write_hypercube);
  expect_complaint("hypercube:nan", "N is \"nan\", not a plain whole number; " + write_hypercube);
  expect_complaint("ring:0", "M is 0; " + write_ring);
  expect_complaint("ring:4:5", "M is \"4:5\", not a plain whole number; " + write_ring);
}

TEST(MachineSpec, RefusesMalformedSides) {
  expect_complaint("torus:", "side 1 is missing; " + write_torus);
  expect_complaint("torus:4x", "side 2 is missing; " + write_torus);
  expect_complaint("torus:x4", "side 1 is missing; " + write_torus);
  expect_complaint("torus:4xx5", "side 2 is missing; " + write_torus);
  expect_complaint("torus:0x3", "side 1 is 0; " + write_torus);
  expect_complaint("torus:4x5 ", "side 2 is \"5 \", not a plain whole number; " + write_torus);
  expect_complaint("torus:4X5", "side 1 is \"4X5\", not a plain whole number; " + write_torus);
  expect_complaint("mesh:4x-5",
                   "side 2 is \"-5\", not a plain whole number; write mesh:AxBxC.., sides from 1 up, e.g. mesh:4x5");
}

TEST(MachineSpec, RefusesMalformedReducedHypercubes) {
  expect_complaint("rh:1,3", "K = 1 is less than N = 3; " + write_rh);
  expect_complaint("rh:3", "two numbers are needed, K and N, not 1; " + write_rh);
  expect_complaint("rh:3,1,0", "two numbers are needed, K and N, not 3; " + write_rh);
  expect_complaint("rh:3,", "N is missing; " + write_rh);
  expect_complaint("rh:,1", "K is missing; " + write_rh);
  expect_complaint("rh:", "two numbers are needed, K and N, not 1; " + write_rh);
  expect_complaint("rh:3, 1", "N is \" 1\", not a plain whole number; " + write_rh);
}

TEST(MachineSpec, RefusesMalformedCubeLikeAndCayleyGraphs) {
  expect_complaint("ccc:", "D is missing; " + write_ccc);
  for (const std::string d : {"0", "1", "2"}) {
    expect_complaint("ccc:" + d, "D is " + d + ", but a cycle has at least 3 positions; " + write_ccc);
  }
  expect_complaint("ccc:3,3", "D is \"3,3\", not a plain whole number; " + write_ccc);
  expect_complaint("shuffle-exchange:0", "N is 0; " + write_shuffle_exchange);
  expect_complaint("shuffle-exchange:-4", "N is \"-4\", not a plain whole number; " + write_shuffle_exchange);
  expect_complaint("star:1", "N is 1, out of range: 2 to 10; " + write_star);
  expect_complaint("star:11", "N is 11, out of range: 2 to 10; " + write_star);
  expect_complaint("star:04", "N is \"04\", with a leading zero; " + write_star);
  expect_complaint("pancake:0", "N is 0, out of range: 2 to 10; write pancake:N, N from 2 to 10, e.g. pancake:4");
  expect_complaint("pancake:4294967294",
                   "N is 4294967294, out of range: 2 to 10; write pancake:N, N from 2 to 10, e.g. pancake:4");
}

TEST(MachineSpec, RefusesMalformedCirculants) {
  expect_complaint("circulant:", "M is missing; " + write_circulant);
  expect_complaint("circulant:0,1", "M is 0; " + write_circulant);
  expect_complaint("circulant:1,1", "M is 1, which leaves no stride; " + write_circulant);
  expect_complaint("circulant:1", "M is 1, which leaves no stride; " + write_circulant);
  expect_complaint("circulant:8", "no stride after M; " + write_circulant);
  expect_complaint("circulant:8,", "stride 1 is missing; " + write_circulant);
  expect_complaint("circulant:8,1,,3", "stride 2 is missing; " + write_circulant);
  expect_complaint("circulant:8,1,0", "stride 2 is 0; " + write_circulant);
  expect_complaint("circulant:8,1,-3", "stride 2 is \"-3\", not a plain whole number; " + write_circulant);
  expect_complaint("circulant:8x1", "M is \"8x1\", not a plain whole number; " + write_circulant);
  expect_complaint("circulant:8,3,8", "stride 8 is not less than M = 8; " + write_circulant);
  expect_complaint("circulant:8,4294967294", "stride 4294967294 is not less than M = 8; " + write_circulant);
  expect_complaint("circulant:8,3,1,3", "stride 3 is given twice; " + write_circulant);
  expect_complaint("circulant:8,4,1,4", "stride 4 is given twice; " + write_circulant);
  expect_complaint("circulant:8,5,1,3", "strides 3 and 5 lead to the same neighbours; " + write_circulant);
  expect_complaint("circulant:2,1,1", "stride 1 is given twice; " + write_circulant);
  const std::string unreachable = ", so that rank 1 cannot be reached from rank 0; ";
  expect_complaint("circulant:8,2,4",
                   "it is not connected: M and all strides are multiples of 2" + unreachable + write_circulant);
  expect_complaint("circulant:30,12,9,6",
                   "it is not connected: M and all strides are multiples of 3" + unreachable + write_circulant);
}

TEST(MachineSpec, SaysHowAGraphIsRead) {
  const test::TemporaryDirectory directory;
  const std::string file = directory.file("a.edges");
  std::ofstream(file) << "0 1 3\n1 2 1\n2 1 1\n";
  const std::string graph = "graph:" + file;
  EXPECT_EQ(parse_machine(graph + "?multigraph=count&edge-column=multiplicity").graph->multiplicity(0, 0), 3U);
  EXPECT_EQ(parse_machine(graph + "?multigraph=count").graph->multiplicity(2, 0), 2U);
  EXPECT_EQ(parse_machine(graph + "?multigraph=merge").graph->multiplicity(2, 0), 1U);
  const auto refused = [&](const std::string& how) { return complaint(graph + "?" + how); };
  EXPECT_NE(refused("multigraph=all").find("'multigraph=all' is none of the choices"), std::string::npos);
  EXPECT_NE(refused("weight=1").find("'weight=1' is neither multigraph=.. nor edge-column=.."), std::string::npos);
  std::ofstream(directory.file("b?merge")) << "0 1\n";
  EXPECT_EQ(parse_machine("graph:" + directory.file("b?merge")).processors, 2U);
}

TEST(MachineSpec, RefusesGraphsThatCannotBeRead) {
  const std::string missing = "cannot read the file: No such file or directory; ";
  expect_complaint("graph:", "FILE is missing; " + write_graph);
  expect_complaint("graph", "no colon and parameters after \"graph\"; " + write_graph);
  expect_complaint("graph:none,at:all=x y.json", missing + write_graph);
  expect_complaint("product:ring:3*graph:none.json", missing + write_graph);
  expect_complaint("grahp:none.json", "unknown family \"grahp\", did you mean graph?; " + families);
  EXPECT_EQ(complaint("graph:a\nb.json"),
            "machine \"graph:a?b.json\": the name of FILE has control characters; " + write_graph);
  EXPECT_EQ(complaint("graph:a\x7f"
                      "b.json"),
            "machine \"graph:a?b.json\": the name of FILE has control characters; " + write_graph);
}

TEST(MachineSpec, RefusesMalformedProducts) {
  expect_complaint("product:", "factor 1 is missing; " + write_product);
  expect_complaint("product:ring:5*", "factor 2 is missing; " + write_product);
  expect_complaint("product:ring:5**ring:4", "factor 2 is missing; " + write_product);
  expect_complaint("product:ring:5*rng:4", "unknown family \"rng\", did you mean ring?; " + families);
  expect_complaint("product:ring:5*ring:", "M is missing; " + write_ring);
  expect_complaint("product:ring:5*product:ring:3",
                   "factor 2 is a product itself; write its factors alone; " + write_product);
}

TEST(MachineSpec, RefusesProductsInProductsHoweverDeepTheyAre) {
  std::string deep;
  for (int depth = 0; depth < 15'000; ++depth) deep += "product:";
  try {
    parse_machine(deep + "ring:3*ring:2");
    FAIL();
  } catch (const MachineSpecError& error) {
    EXPECT_NE(std::string(error.what()).find("factor 1 is a product itself"), std::string::npos);
  }
}

TEST(MachineSpec, RefusesMachinesPastTheLimit) {
  const std::string limit = ", but a machine has at most 4294967294; ";
  expect_complaint("hypercube:32", "4294967296 processors" + limit + write_hypercube);
  expect_complaint("hypercube:40+31", "1099511627776 processors" + limit + write_hypercube);
  expect_complaint("incomplete-hypercube:64+3", "more than 2^64 processors" + limit + write_incomplete_hypercube);
  expect_complaint("hypercube:63", "9223372036854775808 processors" + limit + write_hypercube);
  expect_complaint("hypercube:64", "more than 2^64 processors" + limit + write_hypercube);
  expect_complaint("rh:5,5", "137438953472 processors" + limit + write_rh);  // 2^(5 + 32)
  expect_complaint("rh:4000000000,4000000000", "more than 2^64 processors" + limit + write_rh);
  expect_complaint("torus:100000x100000", "10000000000 processors" + limit + write_torus);
  expect_complaint("torus:65536x65536", "4294967296 processors" + limit + write_torus);
  expect_complaint("torus:4294967294x4294967294x4294967294", "more than 2^64 processors" + limit + write_torus);
  expect_complaint("product:ring:65536*path:65536", "4294967296 processors" + limit + write_product);
  expect_complaint("ccc:28", "7516192768 processors" + limit + write_ccc);  // 28 * 2^28
  expect_complaint("ccc:60", "more than 2^64 processors" + limit + write_ccc);
  expect_complaint("ccc:4294967294", "more than 2^64 processors" + limit + write_ccc);
  expect_complaint("shuffle-exchange:32", "4294967296 processors" + limit + write_shuffle_exchange);
  expect_complaint("shuffle-exchange:64", "more than 2^64 processors" + limit + write_shuffle_exchange);
  expect_complaint("product:pancake:10*star:7", "18289152000 processors" + limit + write_product);
  expect_complaint("circulant:4294967295,1", "M is 4294967295, more than 4294967294; " + write_circulant);
  expect_complaint("ring:4294967295", "M is 4294967295, more than 4294967294; " + write_ring);
  expect_complaint("ring:18446744073709551617", "M is 18446744073709551617, more than 4294967294; " + write_ring);
}

TEST(MachineSpec, ComplaintsAreOneLine) {
  EXPECT_EQ(complaint("ring:3\n\x1b[31m"),
            "machine \"ring:3??[31m\": M is \"3??[31m\", not a plain whole number; " + write_ring);
  EXPECT_EQ(complaint("a\tb"), "machine \"a?b\": unknown family \"a?b\"; " + families);
}

}  // namespace
}  // namespace lockstep::machine_spec_test
