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
    Alias{"allreduce/recursive-doubling", "hypercube", "allreduce/dimension-exchange"},
    Alias{"allreduce/recursive-doubling", "ring", "allreduce/dimension-exchange"},
    Alias{"allreduce/recursive-doubling", "path", "allreduce/dimension-exchange"},
    Alias{"allreduce/recursive-doubling", "torus", "allreduce/dimension-exchange"},
    Alias{"allreduce/recursive-doubling", "mesh", "allreduce/dimension-exchange"},
    Alias{"allreduce/recursive-doubling", "switch", "allreduce/recursive-doubling"},
    Alias{"broadcast/scatter-doubling", "hypercube", "broadcast/scatter-allgather"},
    Alias{"broadcast/scatter-doubling", "complete", "broadcast/scatter-doubling"},
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

/// The aliases that are not also the names of methods, for other machines.
std::vector<std::string_view> own_aliases(const Method& method) {
  std::vector<std::string_view> aliases(method.aliases.begin(), method.aliases.end());
  std::erase_if(aliases, [](std::string_view alias) {
    return std::ranges::find(catalogue(), alias, &Method::name) != catalogue().end();
  });
  return aliases;
}

// An alias that is the name of a method for other machines stands for one entry alone.
TEST(Aliases, StandForOneNameAndForAllItsEntries) {
  std::map<std::string, std::string_view> names;
  for (const Method* method : catalogue()) {
    for (const Method* other : catalogue()) {
      if (other->name == method->name) {
        EXPECT_EQ(own_aliases(*other), own_aliases(*method)) << method->name;
      }
    }
    for (const std::string_view alias : own_aliases(*method)) {
      const auto [found, is_new] =
          names.emplace(with_each(alias, [](unsigned char letter) { return std::tolower(letter); }), method->name);
      EXPECT_TRUE(is_new || found->second == method->name)
          << alias << " is " << found->second << " and " << method->name;
    }
  }
}

TEST(Aliases, ThatAreRefusedNameTheMethodOrTheNearestAlias) {
  // Other methods for the machine follow.
  EXPECT_TRUE(refusal("SMG", "ring")
                  .starts_with("alltoall/sequential-gather (SMG) does not run on ring: it is for hypercube; for ring "
                               "there are alltoall/"));
  EXPECT_TRUE(refusal("mtadea", "ring")
                  .starts_with("alltoall/exchange (mtadea) does not run on ring: it is for hypercube, switch, omega, "
                               "inverse-omega, indirect-cube, data-manipulator; "));
  EXPECT_TRUE(refusal("Broadcast/SBT", "ring")
                  .starts_with("broadcast/sbt does not run on ring: it is for hypercube, incomplete-hypercube; "));
  const std::string all = " (lockstep list algorithms names them all)";
  EXPECT_EQ(refusal("sgm", "hypercube"), "unknown algorithm 'sgm'; did you mean 'SMG'?" + all);
  EXPECT_EQ(refusal("A3", "torus"), "unknown algorithm 'A3'; did you mean 'A2'?" + all);
  EXPECT_EQ(refusal("MTADAE", "hypercube"), "unknown algorithm 'MTADAE'; did you mean 'MTADEA'?" + all);
  EXPECT_EQ(refusal("tea3", "hypercube"), "unknown algorithm 'tea3'; did you mean 'allgather/tea1'?" + all);
  EXPECT_EQ(refusal("bitonic", "hypercube"), "unknown algorithm 'bitonic'; did you mean 'sort/bitonic'?" + all);
  EXPECT_EQ(refusal("xyz", "hypercube"), "unknown algorithm 'xyz'" + all);
}

// The same method under another name comes first: the holders double every step; every holder hands half of its blocks
// on. At most three are named.
TEST(Aliases, ThatAreRefusedNameMethodsForTheMachineTheNearestFirst) {
  const std::string doubling = refusal("broadcast/binomial", "hypercube");
  EXPECT_TRUE(doubling.starts_with("broadcast/doubling (broadcast/binomial) does not run on hypercube: it is for "))
      << doubling;
  EXPECT_NE(doubling.find("; for hypercube there are broadcast/sbt, "), std::string::npos) << doubling;
  EXPECT_TRUE(doubling.ends_with(" more (lockstep list --operation broadcast)")) << doubling;
  const std::string shift = refusal("scatter/shift", "hypercube");
  EXPECT_NE(shift.find("; for hypercube there are scatter/sbt, "), std::string::npos) << shift;
  EXPECT_EQ(refusal("sort/merge", "hypercube"),
            "sort/merge does not run on hypercube: it is for rh; for hypercube there is sort/bitonic");
  EXPECT_EQ(refusal("transpose/diagonal", "path"), "transpose/diagonal does not run on path: it is for torus");
}

}  // namespace
}  // namespace lockstep::aliases_test
