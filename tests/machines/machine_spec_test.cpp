#include "lockstep/machines/machine_spec.hpp"

#include <gtest/gtest.h>

#include "lockstep/machines/machine_family.hpp"

namespace lockstep {
namespace {

const std::string families = "the families are hypercube, rh, ring, path, complete, torus, mesh, product";
const std::string write_hypercube = "write hypercube:N, N from 0 to 31, e.g. hypercube:4";
const std::string write_rh = "write rh:K,N, K >= N >= 0 and K + 2^N at most 31, e.g. rh:2,1";
const std::string write_ring = "write ring:M, M from 1 up, e.g. ring:5";
const std::string write_torus = "write torus:AxBxC.., sides from 1 up, e.g. torus:4x5";
const std::string write_product =
    "write product:F*F*.., factors any machines but products, e.g. product:ring:5*complete:4*hypercube:2";

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

TEST(MachineSpec, ReadsTheLargestMachines) {
  EXPECT_EQ(parse_machine("hypercube:31").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("rh:15,4").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("rh:30,0").processors, std::uint64_t{1} << 31);
  EXPECT_EQ(parse_machine("ring:4294967294").processors, 4294967294U);
  EXPECT_EQ(parse_machine("complete:4294967294").ports, 4294967293U);
  EXPECT_EQ(parse_machine("mesh:65536x65535").processors, 4294901760U);
}

TEST(MachineSpec, FamiliesDescribeThemselves) {
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

TEST(MachineSpec, NamesTheNearestFamily) {
  expect_complaint("hypercub:3", "unknown family \"hypercub\", did you mean hypercube?; " + families);
  expect_complaint("Hypercube:3", "unknown family \"Hypercube\", did you mean hypercube?; " + families);
  expect_complaint("TORUS:4x5", "unknown family \"TORUS\", did you mean torus?; " + families);
  expect_complaint("trous:4x5", "unknown family \"trous\", did you mean torus?; " + families);
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
  expect_complaint("hypercube:+1", "N is \"+1\", not a plain whole number; " + write_hypercube);
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

TEST(MachineSpec, RefusesMalformedProducts) {
  expect_complaint("product:", "factor 1 is missing; " + write_product);
  expect_complaint("product:ring:5*", "factor 2 is missing; " + write_product);
  expect_complaint("product:ring:5**ring:4", "factor 2 is missing; " + write_product);
  expect_complaint("product:ring:5*rng:4", "unknown family \"rng\", did you mean ring?; " + families);
  expect_complaint("product:ring:5*ring:", "M is missing; " + write_ring);
  expect_complaint("product:ring:5*product:ring:3",
                   "factor 2 is a product itself; write its factors alone; " + write_product);
}

TEST(MachineSpec, RefusesMachinesPastTheLimit) {
  const std::string limit = ", but a machine has at most 4294967294; ";
  expect_complaint("hypercube:32", "4294967296 processors" + limit + write_hypercube);
  expect_complaint("hypercube:63", "9223372036854775808 processors" + limit + write_hypercube);
  expect_complaint("hypercube:64", "more than 2^64 processors" + limit + write_hypercube);
  expect_complaint("rh:5,5", "137438953472 processors" + limit + write_rh);  // 2^(5 + 32)
  expect_complaint("rh:4000000000,4000000000", "more than 2^64 processors" + limit + write_rh);
  expect_complaint("torus:100000x100000", "10000000000 processors" + limit + write_torus);
  expect_complaint("torus:65536x65536", "4294967296 processors" + limit + write_torus);
  expect_complaint("torus:4294967294x4294967294x4294967294", "more than 2^64 processors" + limit + write_torus);
  expect_complaint("product:ring:65536*path:65536", "4294967296 processors" + limit + write_product);
  expect_complaint("ring:4294967295", "M is 4294967295, more than 4294967294; " + write_ring);
  expect_complaint("ring:18446744073709551617", "M is 18446744073709551617, more than 4294967294; " + write_ring);
}

TEST(MachineSpec, ComplaintsAreOneLine) {
  EXPECT_EQ(complaint("ring:3\n\x1b[31m"),
            "machine \"ring:3??[31m\": M is \"3??[31m\", not a plain whole number; " + write_ring);
  EXPECT_EQ(complaint("a\tb"), "machine \"a?b\": unknown family \"a?b\"; " + families);
}

}  // namespace
}  // namespace lockstep
