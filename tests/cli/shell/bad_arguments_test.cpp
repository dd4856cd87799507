// Bad arguments: exit code 2, nothing on standard output, one line on standard error with the error, the allowed
// values, and the nearest valid name.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::bad_arguments_test {
namespace {

struct BadInput {
  std::vector<std::string> arguments;
  std::vector<std::string> said;  ///< must be part of the line
};

void expect_one_line(const std::vector<BadInput>& inputs) {
  for (const auto& [arguments, said] : inputs) {
    std::string command;
    for (const std::string& argument : arguments) command += "'" + argument + "' ";
    SCOPED_TRACE(command);
    expect_refused(lockstep(arguments), said);
  }
}

BadInput on_machine(const std::string& machine, std::vector<std::string> said) {
  return {{"run", "--machine", machine, "--algorithm", "broadcast/sbt"}, std::move(said)};
}

BadInput with(std::vector<std::string> further, std::vector<std::string> said) {
  std::vector<std::string> arguments{"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return {arguments, std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForCommands) {
  expect_one_line({BadInput{{"rnu"}, {"'rnu'", "did you mean 'run'?"}},
                   BadInput{{"nonsense"},
                            {"'nonsense'",
                             "run, plan, validate, trace, compare, sweep, best, study, search, reproduce, judge, list, "
                             "info, errata, explain, demo, new, completion"}},
                   BadInput{{"--verison"}, {"did you mean '--version'?"}},
                   BadInput{{"run"}, {"--machine and --algorithm", "lockstep run --machine hypercube:4"}},
                   BadInput{{"run", "--machine", "hypercube:3"}, {"needs --algorithm", "e.g."}},
                   BadInput{{"run", "--algorithm", "broadcast/sbt"}, {"needs --machine", "e.g."}},
                   BadInput{{"run", "hypercube:3"}, {"unexpected argument 'hypercube:3'"}},
                   BadInput{{"run", "list"}, {"unexpected argument 'list'"}},
                   BadInput{{"run", "--machine"}, {"--machine needs a value"}},
                   BadInput{{"list", "algoritms"}, {"did you mean 'algorithms'?"}},
                   BadInput{{"info"}, {"info needs a machine"}}, BadInput{{"info", "--json"}, {"info needs a machine"}},
                   BadInput{{"info", "torus:4x"}, {"torus:4x"}},
                   BadInput{{"info", "ring:3", "ring:4"}, {"unexpected argument 'ring:4'"}},
                   BadInput{{"info", "ring:3", "--jsno", "-"}, {"'--jsno'", "did you mean '--json'?"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForLists) {
  expect_one_line({BadInput{{"list", "algorithms", "brodcast"},
                            {"unknown algorithm or operation 'brodcast'", "did you mean 'broadcast'?"}},
                   BadInput{{"list", "algorithms", "broadcast/sbtt"}, {"did you mean 'broadcast/sbt'?"}},
                   BadInput{{"list", "algorithms", "bitonc"}, {"did you mean 'bitonic'?"}},
                   BadInput{{"list", "algorithms", "mtadae"}, {"did you mean 'MTADEA'?"}},
                   BadInput{{"list", "machines", "toruss"}, {"'toruss'", "did you mean 'torus'?"}},
                   BadInput{{"list", "presets", "ipcs"}, {"'ipcs'", "did you mean 'ipsc'?"}},
                   BadInput{{"list", "ipsc"}, {"list 'ipsc' is not one of machines, algorithms, presets"}},
                   BadInput{{"list", "--operation", "scn"}, {"--operation 'scn'", "scatter", "did you mean 'scan'?"}},
                   BadInput{{"list", "--machine", "trus:3x3"}, {"did you mean torus?"}},
                   BadInput{{"list", "--machine", "rh:1,3"}, {"K >= N"}},
                   BadInput{{"list", "machines", "--operation", "scan"}, {"--operation selects algorithms"}},
                   BadInput{{"list", "presets", "--machine", "ring:3"}, {"--machine selects algorithms"}},
                   BadInput{{"list", "algorithms", "sbt", "drbt"}, {"unexpected argument 'drbt'"}},
                   BadInput{{"list", "--operations", "scan"}, {"did you mean '--operation'?"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForIdleFlags) {
  expect_one_line(
      {with({"--executor", "sequential", "--threads", "1"}, {"--threads is for --executor tbb and threads"}),
       with({"--executor", "seeded", "--threads", "2"}, {"--threads", "seeded uses one thread"}),
       with({"--schedule-seed", "1"}, {"--schedule-seed is for --executor seeded", "tbb draws no order"}),
       with({"--executor", "sequential", "--schedule-seed", "7"}, {"--schedule-seed", "sequential"}),
       BadInput{{"validate", LOCKSTEP_SCHEDULE, "--machine", "path:3", "--executor", "seeded", "--threads", "2"},
                {"--threads"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForValuesOfFlags) {
  expect_one_line({with({"--quiet=true"}, {"--quiet takes no value"}), with({"--quiet={}"}, {"--quiet takes no value"}),
                   with({"--cycles="}, {"--cycles takes no value"}), with({"--cycles=no"}, {"--cycles takes no value"}),
                   with({"--help=true"}, {"--help takes no value"}),
                   BadInput{{"--version=true"}, {"--version takes no value"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForMachines) {
  expect_one_line({on_machine("hypercube:", {"hypercube:N"}),
                   on_machine("hypercube:010", {"leading zero"}),
                   on_machine("hypercube:-1", {"-1"}),
                   on_machine("hypercube:99999999999999999999", {"0 to 31"}),
                   on_machine("hypercube:3 ", {"hypercube:N"}),
                   on_machine("hypercube", {"hypercube:N"}),
                   on_machine("hyprcube:3", {"hyprcube", "did you mean hypercube?"}),
                   on_machine("torus:4x", {"torus:AxB"}),
                   on_machine("torus:0x3", {"torus"}),
                   on_machine("rh:1,3", {"K >= N"}),
                   on_machine("ring:5000000000", {"4294967294"}),
                   on_machine("ccc:2", {"at least 3 positions"}),
                   on_machine("ccc:28", {"7516192768", "4294967294"}),
                   on_machine("shuffle-exchange:0", {"N is 0"}),
                   on_machine("star:11", {"2 to 10"}),
                   on_machine("pancakes:4", {"did you mean pancake?"}),
                   on_machine("pancake:1", {"2 to 10"}),
                   on_machine("circulant:8,2", {"not connected", "rank 1"}),
                   on_machine("circulant:8,3,5", {"3 and 5", "same neighbours"}),
                   on_machine("circulant:1,1", {"M is 1"}),
                   on_machine("circulant:8,9", {"stride 9", "M = 8"}),
                   on_machine("ccc:3", {"broadcast/sbt does not run on ccc"}),
                   on_machine("graph:", {"FILE is missing", "graph:FILE"}),
                   on_machine("graph:/nowhere/at/all.json", {"/nowhere/at/all.json", "No such file"}),
                   on_machine("graph:/", {"it is a directory"}),
                   on_machine("graph:/dev/zero", {"not a regular file"}),
                   on_machine("grpah:x.json", {"did you mean graph?"}),
                   on_machine("graph:" LOCKSTEP_GRAPHS "/petersen.json", {"broadcast/sbt does not run on graph"}),
                   on_machine("torus:3x3", {"broadcast/sbt does not run on torus", "hypercube"})});
}

TEST(BadInputs, AreAnsweredInOneLineForAlgorithms) {
  expect_one_line(
      {BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbtt"},
                {"'broadcast/sbtt'", "did you mean 'broadcast/sbt'?"}},
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "bitonic"},
                {"'bitonic'", "did you mean 'sort/bitonic'?"}},
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "SGM"}, {"'SGM'", "did you mean 'SMG'?"}},
       BadInput{{"plan", "--machine", "ring:3", "--algorithm", "smg"},
                {"alltoall/sequential-gather (smg) does not run on ring", "hypercube"}},
       BadInput{{"run", "--machine", "ring:3", "--algorithm", "facter"}, {"did you mean 'alltoall/factor'?"}},
       BadInput{{"run", "--machine", "ring:3", "--algorithm", "alltoall/factors"}, {"did you mean 'alltoall/factor'?"}},
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "allgather/aeda"},
                {"did you mean 'allgather/adea'?"}},
       BadInput{{"run", "--machine", "rh:2,1", "--algorithm", "allgather/adea"},
                {"allgather/adea does not run on rh", "hypercube"}},
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "allgather/adea", "--root", "0"},
                {"--root is not a parameter of allgather/adea", "--words, --group, --seed"}},
       BadInput{{"run", "--machine", "rh:2,1", "--algorithm", "broadcast/drbt", "--order", "crossfirst"},
                {"longest-first", "cross-first"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForFlags) {
  expect_one_line(
      {with({"--wrods", "3"}, {"unknown flag '--wrods'", "did you mean '--words'?"}),
       with({"--wrods=3"}, {"did you mean '--words'?"}),
       with({"-x"}, {"unknown flag '-x'"}),
       with({"--words", "1", "--words", "2"}, {"--words is given 2 times"}),
       with({"--order", "cross-first"},
            {"--order", "broadcast/sbt", "--words, --root, --group, --input, --output, --seed"}),
       with({"--ports", "al"}, {"one, one-strict, all, ring", "did you mean 'all'?"}),
       with({"--ports", "0"}, {"--ports '0' is not one of one, one-strict, all, ring, or a number from 1 to 65535"}),
       with({"--ports", "1000000000000"}, {"a number from 1 to 65535"}),
       with({"--ports", "65536"}, {"a number from 1 to 65535"}),
       with({"--ports", "-1"}, {"a number from 1 to 65535"}),
       with({"--ports", "2.5"}, {"a number from 1 to 65535"}),
       with({"--ports", "03"}, {"a number from 1 to 65535"}),
       BadInput{{"run", "--machine", "bus:4", "--algorithm", "broadcast/direct", "--ports", "2"},
                {"--ports 2: the processors of bus:4 have no ports"}},
       BadInput{{"run", "--machine", "omega:4", "--algorithm", "broadcast/direct", "--ports", "2"},
                {"--ports 2: the processors of omega:4 have no ports"}},
       with({"--ports", "ring"}, {"--ports ring applies to rings only; hypercube:3 is not a ring"}),
       BadInput{{"run", "--machine", "complete:8", "--algorithm", "alltoall/multiport", "--ports", "3"},
                {"alltoall/multiport is not legal under --ports 3: cycle 0, rank 0, port 3: more than 3 sends in one "
                 "cycle (--ports 3: at most 3 sends a cycle)"}},
       BadInput{{"run", "--machine", "path:4", "--algorithm", "alltoall/factor", "--ports", "ring"},
                {"--ports ring applies to rings only; path:4 is not a ring"}},
       BadInput{{"run", "--machine", "ring:5", "--algorithm", "gather/two-way", "--ports", "ring"},
                {"gather/two-way is not legal under --ports ring: cycle 0, rank 0, ports 0 and 1: 2 messages"}},
       with({"--multicast", "yes"}, {"on, off"}),
       with({"--duplex", "half"}, {"half-link, half-node"}),
       with({"--executor", "tbbb"}, {"did you mean 'tbb'?"}),
       with({"--json", "-", "--csv", "-"}, {"cannot both go to '-'"}),
       with({"--words="}, {"--words needs a value"})});
}

BadInput reduced_with(std::vector<std::string> further, std::vector<std::string> said) {
  std::vector<std::string> arguments{"run", "--machine", "rh:2,1", "--algorithm", "reduce/tree"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return {arguments, std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForOperators) {
  expect_one_line(
      {reduced_with({"--operator", "plus"}, {"--operator 'plus'", "sum, min, max, and, or, xor, matrix2, concat"}),
       reduced_with({"--operator", "matrix"}, {"did you mean 'matrix2'?"}),
       reduced_with({"--operator", "SUM"}, {"'SUM' is not one of"}), reduced_with({"--operator", ""}, {"''"}),
       reduced_with({"--operator="}, {"--operator needs a value"}),
       reduced_with({"--opreator", "sum"}, {"did you mean '--operator'?"}),
       reduced_with({"--type", "dobule"}, {"--type 'dobule' is not one of int64, double", "did you mean 'double'?"}),
       reduced_with({"--type", "string"}, {"--type 'string' is not one of int64, double"}),
       reduced_with({"--type", "float"}, {"int64, double"}),
       reduced_with({"--operator", "concat", "--type", "int64"}, {"--type", "concat"}),
       reduced_with({"--operator", "matrix2", "--words", "6"}, {"--words 6", "4 or 8 would fit"}),
       reduced_with({"--root", "16"}, {"--root 16 is out of range: 0 to 15"}),
       reduced_with({"--order", "longest-first"},
                    {"--order is not a parameter of reduce/tree", "--operator, --type, --input, --output, --seed"}),
       reduced_with({"--input", "/nowhere/at/all"}, {"/nowhere/at/all", "No such file"}),
       reduced_with({"--output", "/nowhere/at/all"}, {"/nowhere/at/all", "No such file"}),
       reduced_with({"--output", "-"}, {"data goes to a file with a name"}),
       with({"--operator", "sum"}, {"--operator is not a parameter of broadcast/sbt"}),
       with({"--type", "double"}, {"--type is not a parameter of broadcast/sbt"})});
}

BadInput on_rh(std::string algorithm, std::string flag, std::string value, std::vector<std::string> said) {
  return {{"run", "--machine", "rh:2,1", "--algorithm", std::move(algorithm), std::move(flag), std::move(value)},
          std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForScansAndBarriers) {
  expect_one_line(
      {on_rh("scan/hub", "--hub", "1", {"--hub 1 is neither the first nor the last node of a block of rh:2,1: 0 or 3"}),
       on_rh("scan/hub", "--hub", "last", {"--hub 'last'"}), on_rh("scan/hub", "--hub", "-1", {"--hub '-1'"}),
       on_rh("scan/hub", "--root", "0", {"--root is not a parameter of scan/hub", "--words, --hub, --operator"}),
       on_rh("scan/hub", "--operator", "plus", {"--operator 'plus'", "matrix2, concat"}),
       on_rh("scan/hub", "--duplex", "half-node", {"not legal", "cycle 0, rank 0, port 0", "half-node"}),
       on_rh("scan/cube", "--words", "1", {"scan/cube does not run on rh: it is for hypercube"}),
       on_rh("barrier/tree", "--arrivals", "-1", {"--arrivals '-1'"}),
       on_rh("barrier/tree", "--arrivals", "1.5", {"--arrivals '1.5'"}),
       on_rh("barrier/tree", "--arrivals", "1000000001", {"--arrivals 1000000001 is out of range: 0 to 1000000000"}),
       on_rh("barrier/tree", "--words", "0", {"--words 0 is out of range: 1 to 2147483648"}),
       on_rh("barrier/tree", "--operator", "sum", {"--operator is not a parameter of barrier/tree"}),
       with({"--arrivals", "3"}, {"--arrivals is not a parameter of broadcast/sbt"}),
       with({"--hub", "0"}, {"--hub is not a parameter of broadcast/sbt"})});
}

BadInput sorted_with(std::vector<std::string> further, std::vector<std::string> said) {
  std::vector<std::string> arguments{"run", "--machine", "hypercube:3", "--algorithm", "sort/bitonic"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return {arguments, std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForSorts) {
  expect_one_line(
      {sorted_with({"--type", "strings"}, {"is not one of int64, double, string", "did you mean 'string'?"}),
       sorted_with({"--type", "integer"}, {"--type 'integer' is not one of int64, double, string"}),
       sorted_with({"--type", ""}, {"--type ''"}), sorted_with({"--words", "0"}, {"out of range: 1 to 2147483648"}),
       sorted_with({"--root", "1"},
                   {"--root is not a parameter of sort/bitonic", "--words, --type, --input, --output"}),
       sorted_with({"--operator", "max"}, {"--operator is not a parameter of sort/bitonic"}),
       sorted_with({"--input", "/"}, {"cannot read '/': it is a directory"}),
       sorted_with({"--type", "string", "--input", "/"}, {"cannot read '/': it is a directory"}),
       sorted_with({"--output", "/nowhere/at/all"}, {"cannot write '/nowhere/at/all'", "No such file"}),
       sorted_with({"--duplex", "half-link"}, {"sort/bitonic is not legal under --duplex half-link: cycle 0, rank 0"}),
       BadInput{{"run", "--machine", "rh:2,1", "--algorithm", "sort/bitonic"}, {"does not run on rh", "hypercube"}},
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "sort/bitonc"}, {"did you mean 'sort/bitonic'?"}}});
}

BadInput sent_with(std::vector<std::string> further, std::vector<std::string> said) {
  std::vector<std::string> arguments{"run", "--machine", "torus:4x4", "--algorithm", "send/disjoint-paths"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return {arguments, std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForSends) {
  expect_one_line(
      {sent_with({"--packets", "0"}, {"--packets 0 is out of range: 1 to"}),
       sent_with({"--packets", "-1"}, {"--packets", "'-1'"}),
       sent_with({"--packets", "three"}, {"--packets", "'three'"}),
       sent_with({"--packets", "3", "--words", "11"}, {"--packets 3 is out of range: 1 to 2", "11 words"}),
       sent_with({"--packets", "9999999999"}, {"--packets 9999999999 is out of range: 1 to"}),
       sent_with({"--packets", "9999999999", "--words", "11"}, {"--packets 9999999999 is out of range: 1 to 2,"}),
       sent_with({"--words", "3"}, {"--words 3 is out of range: 4 to 2147483648"}),
       sent_with({"--source", "16"}, {"--source 16 is out of range: 0 to 15"}),
       sent_with({"--source", "0b10000"}, {"--source 16 is out of range: 0 to 15"}),
       sent_with({"--source", "0b"}, {"--source", "0b1010"}),
       sent_with({"--destination", "16"}, {"--destination 16 is out of range: 0 to 15"}),
       sent_with({"--destination", "-2"}, {"--destination", "'-2'"}),
       sent_with({"--destintaion", "2"}, {"did you mean '--destination'?"}),
       sent_with({"--root", "1"},
                 {"--root is not a parameter of send/disjoint-paths", "--packets, --source, --destination, --seed"}),
       sent_with({"--ports", "one"}, {"send/disjoint-paths is not legal under --ports one: cycle 0, rank 0"}),
       with({"--packets", "1"}, {"--packets is not a parameter of broadcast/sbt"}),
       with({"--source", "1"}, {"--source is not a parameter of broadcast/sbt"}),
       BadInput{{"run", "--machine", "torus:4x3", "--algorithm", "transpose/diagonal"}, {"torus:4x3 is not square"}},
       BadInput{{"run", "--machine", "mesh:2000x2000", "--algorithm", "send/disjoint-paths", "--source", "1"},
                {"too large to look for disjoint paths"}},
       BadInput{{"run", "--machine", "ring:4", "--algorithm", "send/pipelnied"}, {"did you mean 'send/pipelined'?"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForWholeNumbers) {
  expect_one_line({with({"--words", "0"}, {"out of range: 1 to 2147483648"}),
                   with({"--words", "-1"}, {"'-1'", "no sign"}),
                   with({"--words", "+1"}, {"no sign"}),
                   with({"--words", "010"}, {"leading zero"}),
                   with({"--words", "1.5"}, {"whole number"}),
                   with({"--words", "1e3"}, {"whole number"}),
                   with({"--words", "0x10"}, {"whole number"}),
                   with({"--words", ""}, {"whole number"}),
                   with({"--words", "{}"}, {"whole number"}),
                   with({"--words", "[1,2]"}, {"whole number"}),
                   with({"--words", " 1"}, {"whole number"}),
                   with({"--words", "99999999999999999999999999"}, {"too large for 64 bits"}),
                   with({"--words", "5000000000"}, {"out of range: 1 to 2147483648"}),
                   with({"--root", "8"}, {"out of range: 0 to 7"}),
                   with({"--root", "0b1000"}, {"0 to 7"}),
                   with({"--root", "-1"}, {"'-1'"}),
                   with({"--root", "0b"}, {"0b1010"}),
                   with({"--root", "0b12"}, {"0b1010"}),
                   with({"--root", "0b-1"}, {"0b1010"}),
                   with({"--root", "4294967296"}, {"out of range: 0 to 7"}),
                   with({"--seed", "-1"}, {"'-1'"}),
                   with({"--seed", "18446744073709551616"}, {"0 to 18446744073709551615"}),
                   with({"--threads", "0"}, {"1 to 1024"}),
                   with({"--threads", "5000"}, {"1 to 1024"}),
                   with({"--repeat", "0"}, {"1 to 1000000"}),
                   with({"--warmup", "-1"}, {"0 to 1000000"}),
                   with({"--warmup", "1000001"}, {"0 to 1000000"}),
                   with({"--max-packet", "0"}, {"1 to"}),
                   with({"--max-cycles", "0"}, {"1 to 2147483645"})});
}

TEST(BadInputs, AreAnsweredInOneLineForMatrices) {
  expect_one_line({with({"--matrix", "64"}, {"--matrix '64' is not of the form PxQ", "e.g. 64x128"}),
                   with({"--matrix", ""}, {"--matrix '' is not of the form PxQ"}),
                   with({"--matrix", "64X64"}, {"'64X64' is not of the form PxQ"}),
                   with({"--matrix", "64,64"}, {"'64,64' is not of the form PxQ"}),
                   with({"--matrix", "6\n4"}, {"--matrix '6?4' is not of the form PxQ"}),
                   with({"--matrix", "64x"}, {"--matrix '' is not a whole number from 1"}),
                   with({"--matrix", "x64"}, {"--matrix '' is not a whole number from 1"}),
                   with({"--matrix", "0x4"}, {"--matrix '0' is out of range: 1 to 2147483648"}),
                   with({"--matrix", "4x0"}, {"--matrix '0' is out of range: 1 to 2147483648"}),
                   with({"--matrix", "ax3"}, {"--matrix 'a' is not a whole number"}),
                   with({"--matrix", "-1x4"}, {"--matrix '-1' is not a whole number", "no sign"}),
                   with({"--matrix", "4x+4"}, {"--matrix '+4' is not a whole number", "no sign"}),
                   with({"--matrix", "4x04"}, {"--matrix '04'", "no leading zero"}),
                   with({"--matrix", "4x4x4"}, {"--matrix '4x4' is not a whole number"}),
                   with({"--matrix", "4 x4"}, {"--matrix '4 ' is not a whole number"}),
                   with({"--matrix", "99999999999999999999x1"}, {"out of range: 1 to 2147483648"}),
                   with({"--matrix"}, {"--matrix needs a value"}),
                   with({"--transposed", "yes"}, {"unexpected argument 'yes'"}),
                   with({"--transposed=yes"}, {"--transposed takes no value"}),
                   with({"--transposed=true"}, {"--transposed takes no value"}),
                   with({"--transpose"}, {"unknown flag '--transpose'", "did you mean '--transposed'?"}),
                   with({"--packet-words", "-1"}, {"--packet-words '-1'"}),
                   with({"--trees", "two"}, {"--trees 'two'"}),
                   with({"--rounds", "1.5"}, {"--rounds '1.5'"}),
                   with({"--sources", "+1"}, {"--sources '+1'"}),
                   with({"--copy-threshold", "01"}, {"--copy-threshold '01'"}),
                   with({"--gather", "yes"}, {"--gather 'yes' is not one of on, off"}),
                   with({"--gather", "ON"}, {"--gather 'ON' is not one of on, off"}),
                   with({"--gather"}, {"--gather needs a value"}),
                   with({"--layout"}, {"--layout needs a value"}),
                   with({"--shift", "0x1"}, {"--shift '0x1'"})});
}

/// Every flag of the methods that move matrices, for a method that does not.
BadInput foreign(std::vector<std::string> flag) {
  const std::string name = flag.front();
  return with(std::move(flag), {name + " is not a parameter of broadcast/sbt, which takes --words, --root, "});
}

TEST(BadInputs, AreAnsweredInOneLineForForeign) {
  expect_one_line({foreign({"--matrix", "4x4"}), foreign({"--packet-words", "1"}), foreign({"--trees", "0"}),
                   foreign({"--rounds", "1"}), foreign({"--sources", "1"}), foreign({"--copy-threshold", "0"}),
                   foreign({"--gather", "off"}), foreign({"--layout", "2,1"}), foreign({"--from", "row-cyclic"}),
                   foreign({"--to", "row-cyclic"}), foreign({"--transposed"}), foreign({"--encoding", "rows-gray"}),
                   foreign({"--pairs", "0:1"}), foreign({"--permutation", "2,0,1"}), foreign({"--shift", "1"})});
}

BadInput routed(std::vector<std::string> further, std::vector<std::string> said) {
  std::vector<std::string> arguments{"run", "--machine", "hypercube:3", "--algorithm", "route/ecube"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return {arguments, std::move(said)};
}

TEST(BadInputs, AreAnsweredInOneLineForRoutes) {
  expect_one_line({routed({"--pattern", "shift"}, {"--pattern 'shift' is neither a file nor one of gather"}),
                   routed({"--pattern", "/"}, {"cannot read '/': it is a directory"}),
                   routed({"--words", "0"}, {"--words 0 is out of range: 1 to 2147483648"}),
                   routed({"--ports", "one-strict", "--pattern", "scatter"},
                          {"route/ecube is not legal under --ports one-strict: cycle 1, rank 1, port 0"})});
}

TEST(BadInputs, AreAnsweredInOneLineForSwitching) {
  expect_one_line(
      {routed({"--switching", "wormhole"}, {"--switching 'wormhole'", "store-and-forward", "cut-through", "circuit"}),
       routed({"--startup", "once"}, {"--startup 'once'", "hop", "path"}),
       routed({"--hop-cost", "-1", "--switching", "circuit"}, {"--hop-cost '-1'"}),
       routed({"--hop-cost", "1"}, {"--hop-cost is for --switching cut-through and circuit"}),
       routed({"--switching", "circuit", "--startup", "path"},
              {"--startup is for --switching store-and-forward; circuit pays start-ups once a path"}),
       with({"--switching", "cut-through"}, {"--switching is for messages that know their paths", "broadcast/sbt"}),
       with({"--startup", "path"}, {"--startup is for messages that know their paths", "broadcast/sbt"})});
}

TEST(BadInputs, AreAnsweredInOneLineForFlop) {
  const std::string why = "--flop is for reductions, scans and applications; ";
  expect_one_line(
      {with({"--flop", "1"}, {why + "broadcast/sbt combines and computes nothing"}),
       BadInput{{"run", "--machine", "hypercube:3", "--algorithm", "sort/bitonic", "--flop", "1"}, {why}},
       BadInput{{"compare", "--operation", "alltoall", "--machine", "switch:8", "--flop", "1"},
                {"no method of alltoall can be compared on switch:8", why}},
       BadInput{{"best", "--operation", "broadcast", "--machine", "switch:8", "--words", "1..8", "--flop", "1"}, {why}},
       BadInput{{"sweep", "--operation", "gather", "--machine", "hypercube:3", "--vary", "flop=1,2"}, {why}},
       BadInput{
           {"run", "--machine", "hypercube:3", "--algorithm", "reduce/tree", "--operator", "concat", "--flop", "1"},
           {"--flop is for operators on numbers; concat appends strings"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForTimes) {
  expect_one_line({with({"--beta", "nan"}, {"--beta 'nan'", "from 0 to 1e+15"}), with({"--beta", "-nan"}, {"'-nan'"}),
                   with({"--beta", "inf"}, {"'inf'"}), with({"--beta", "-1"}, {"'-1'"}),
                   with({"--tau", "-0.0"}, {"'-0.0'"}), with({"--tau", "1e16"}, {"out of range: 0 to 1e+15"}),
                   with({"--tau", "1e999"}, {"out of range"}), with({"--tau", "1x"}, {"'1x'"}),
                   with({"--tau", ""}, {"''"}), with({"--copy-cost", "00.5"}, {"'00.5'"})});
}

TEST(BadInputs, AreAnsweredInOneLineForOutputs) {
  expect_one_line({with({"--json", "/nowhere/at/all.json"}, {"/nowhere/at/all.json", "No such"}),
                   with({"--csv", "/nowhere/at/all.csv"}, {"/nowhere/at/all.csv"}),
                   with({"--json", "/"}, {"directory"}), with({"--json", ""}, {"empty"}),
                   with({"--json", "/dev/full", "--quiet"}, {"/dev/full", "No space left"}),
                   BadInput{{"list", "--json", "/nowhere/at/all"}, {"/nowhere/at/all"}},
                   BadInput{{"info", "ring:3", "--json", "/dev/full"}, {"No space left"}}});
}

TEST(BadInputs, AreAnsweredInOneLineForIllegalModels) {
  expect_one_line(
      {BadInput{{"run", "--machine", "torus:3x3", "--algorithm", "alltoall/product", "--ports", "one-strict"},
                {"alltoall/product is not legal under --ports one-strict: cycle 0, rank 0, port"}},
       BadInput{{"run", "--machine", "rh:2,1", "--algorithm", "sort/merge", "--duplex", "half-link"},
                {"sort/merge is not legal under --duplex half-link: cycle 0, rank 0, port 0"}},
       BadInput{{"run", "--machine", "rh:2,1", "--algorithm", "sort/merge", "--move", "combin"},
                {"--move 'combin' is not one of combine, packets; did you mean 'combine'?"}},
       BadInput{{"run", "--machine", "ring:5", "--algorithm", "alltoall/factor", "--duplex", "half-node"},
                {"alltoall/factor is not legal under --duplex half-node: cycle 0, rank 0, port"}}});
}

}  // namespace
}  // namespace lockstep::test::bad_arguments_test
