// The papers' names of the methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::aliases_test {
namespace {

struct Alias {
  std::string_view text;
  std::string_view family;
  std::string_view name;
};

// SMG, SBA, ADEA, TEA1, TEA2, MTADEA: Saad & Schultz 1985, sections 4 and 6. DRBT: Mukherjee's double-rooted binary
// trees. SBT, SBnT, SPT, DPT, MPT: Johnsson & Ho, sections 3 and 6.1. A1 and A2: Dimakopoulos &
// Dimopoulos, figures 2 and 3. The others: today's libraries.
constexpr std::array papers_names{
    Alias{"allgather/bruck", "switch", "allgather/doubling"},
    Alias{"allgather/bruck", "omega", "allgather/doubling"},
    Alias{"allgather/bruck", "inverse-omega", "allgather/doubling"},
    Alias{"allgather/bruck", "indirect-cube", "allgather/doubling"},
    Alias{"allgather/bruck", "data-manipulator", "allgather/doubling"},
    Alias{"allgather/bruck", "complete", "allgather/doubling"},
    Alias{"allgather/ring", "hypercube", "allgather/daisy-chain"},
    Alias{"allgather/ring", "rh", "allgather/daisy-chain"},
    Alias{"allgather/ring", "ring", "allgather/daisy-chain"},
    Alias{"allgather/ring", "switch", "allgather/daisy-chain"},
    Alias{"allgather/ring", "omega", "allgather/daisy-chain"},
    Alias{"allgather/ring", "inverse-omega", "allgather/daisy-chain"},
    Alias{"allgather/ring", "indirect-cube", "allgather/daisy-chain"},
    Alias{"allgather/ring", "data-manipulator", "allgather/daisy-chain"},
    Alias{"allgather/ring", "torus", "allgather/daisy-chain"},
    Alias{"allgather/ring", "path", "allgather/daisy-chain"},
    Alias{"allgather/ring", "mesh", "allgather/daisy-chain"},
    Alias{"allgather/recursive-doubling", "hypercube", "allgather/adea"},
    Alias{"broadcast/binomial", "switch", "broadcast/doubling"},
    Alias{"broadcast/binomial", "omega", "broadcast/doubling"},
    Alias{"broadcast/binomial", "inverse-omega", "broadcast/doubling"},
    Alias{"broadcast/binomial", "indirect-cube", "broadcast/doubling"},
    Alias{"broadcast/binomial", "data-manipulator", "broadcast/doubling"},
    Alias{"broadcast/binary-tree", "switch", "broadcast/tree-heap"},
    Alias{"broadcast/binary-tree", "omega", "broadcast/tree-heap"},
    Alias{"broadcast/binary-tree", "data-manipulator", "broadcast/tree-heap"},
    Alias{"SMG", "hypercube", "alltoall/sequential-gather"},
    Alias{"SBA", "hypercube", "allgather/sequential"},
    Alias{"SBA", "torus", "allgather/sequential"},
    Alias{"MTADEA", "hypercube", "alltoall/exchange"},
    Alias{"MTADEA", "switch", "alltoall/exchange"},
    Alias{"MTADEA", "omega", "alltoall/exchange"},
    Alias{"MTADEA", "inverse-omega", "alltoall/exchange"},
    Alias{"MTADEA", "indirect-cube", "alltoall/exchange"},
    Alias{"MTADEA", "data-manipulator", "alltoall/exchange"},
    Alias{"SBT", "hypercube", "broadcast/sbt"},
    Alias{"SBT", "incomplete-hypercube", "broadcast/sbt"},
    Alias{"DRBT", "hypercube", "broadcast/drbt"},
    Alias{"DRBT", "rh", "broadcast/drbt"},
    Alias{"TEA1", "hypercube", "allgather/tea1"},
    Alias{"TEA2", "hypercube", "allgather/tea2"},
    Alias{"ADEA", "hypercube", "allgather/adea"},
    Alias{"SBnT", "hypercube", "alltoall/sbnt"},
    Alias{"SPT", "hypercube", "transpose/2d-spt"},
    Alias{"DPT", "hypercube", "transpose/2d-dpt"},
    Alias{"MPT", "hypercube", "transpose/2d-mpt"},
    Alias{"broadcast/chain", "switch", "broadcast/ring"},
    Alias{"broadcast/chain", "complete", "broadcast/ring"},
    Alias{"A1", "hypercube", "alltoall/product-columns"},
    Alias{"A1", "product", "alltoall/product-columns"},
    Alias{"A2", "hypercube", "alltoall/product"},
    Alias{"A2", "torus", "alltoall/product"},
    Alias{"A2", "mesh", "alltoall/product"},
    Alias{"A2", "product", "alltoall/product"},
};

template <class Letter>
std::string with_each(std::string_view text, const Letter& letter) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [&](unsigned char one) { return static_cast<char>(letter(one)); });
  return result;
}

std::string refusal(std::string_view name, std::string_view family) {
  try {
    find_method(name, family);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Aliases, NameTheirMethodsInAnyCaseOfLetters) {
  const auto large = [](unsigned char letter) { return std::toupper(letter); };
  const auto small = [](unsigned char letter) { return std::tolower(letter); };
  for (const auto& [text, family, name] : papers_names) {
    for (const std::string& written : {std::string(text), with_each(text, large), with_each(text, small)}) {
      const Method& found = find_method(written, family);
      EXPECT_EQ(found.name, name) << written << " on " << family;
      EXPECT_TRUE(is_for(found, family)) << written << " on " << family;
    }
  }
  EXPECT_EQ(find_method("Scatter/SBnT", "hypercube").name, "scatter/sbnt");
}

TEST(Aliases, AreThoseOfThePapersAndNoOthers) {
  std::set<std::string_view> listed;
  for (const Method* method : catalogue()) listed.insert(method->aliases.begin(), method->aliases.end());
  std::set<std::string_view> typed;
  for (const Alias& alias : papers_names) typed.insert(alias.text);
  EXPECT_EQ(listed, typed);
}

TEST(Aliases, StandForOneNameAndForAllItsEntries) {
  std::map<std::string, std::string_view> names;
  for (const Method* method : catalogue()) {
    for (const Method* other : catalogue()) {
      if (other->name == method->name) {
        EXPECT_EQ(other->aliases, method->aliases) << method->name;
      }
    }
    for (const std::string_view alias : method->aliases) {
      const auto [found, is_new] =
          names.emplace(with_each(alias, [](unsigned char letter) { return std::tolower(letter); }), method->name);
      EXPECT_TRUE(is_new || found->second == method->name)
          << alias << " is " << found->second << " and " << method->name;
    }
  }
}

TEST(Aliases, ThatAreRefusedNameTheMethodOrTheNearestAlias) {
  EXPECT_EQ(refusal("SMG", "ring"), "alltoall/sequential-gather (SMG) does not run on ring: it is for hypercube");
  EXPECT_EQ(refusal("mtadea", "ring"),
            "alltoall/exchange (mtadea) does not run on ring: it is for hypercube, switch, omega, "
            "inverse-omega, indirect-cube, data-manipulator");
  EXPECT_EQ(refusal("Broadcast/SBT", "ring"),
            "broadcast/sbt does not run on ring: it is for hypercube, incomplete-hypercube");
  const std::string all = " (lockstep list algorithms names them all)";
  EXPECT_EQ(refusal("sgm", "hypercube"), "unknown algorithm 'sgm'; did you mean 'SMG'?" + all);
  EXPECT_EQ(refusal("A3", "torus"), "unknown algorithm 'A3'; did you mean 'A2'?" + all);
  EXPECT_EQ(refusal("MTADAE", "hypercube"), "unknown algorithm 'MTADAE'; did you mean 'MTADEA'?" + all);
  EXPECT_EQ(refusal("tea3", "hypercube"), "unknown algorithm 'tea3'; did you mean 'allgather/tea1'?" + all);
  EXPECT_EQ(refusal("bitonic", "hypercube"), "unknown algorithm 'bitonic'; did you mean 'sort/bitonic'?" + all);
  EXPECT_EQ(refusal("xyz", "hypercube"), "unknown algorithm 'xyz'" + all);
}

}  // namespace
}  // namespace lockstep::aliases_test
