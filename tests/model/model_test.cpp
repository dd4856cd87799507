#include "model.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <string>

#include "scenarios.hpp"

namespace lockstep::model {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto cases : {gate_cases, link_cases, mark_tree_cases, medium_cases, phase_name_cases}) {
    for (Case& one : cases()) all.push_back(std::move(one));
  }
  return all;
}

Case case_of(std::string_view name) {
  for (Case& one : all_cases()) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("no case " + std::string(name));
}

namespace {

/// Over all cases.
std::uint64_t random_runs = 1'000'000;
std::uint64_t first_seed = 1;

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t digits = 3; digits < text.size(); digits += 4) text.insert(text.size() - digits, ",");
  return text;
}

/// "full inbox": "FullInbox".
std::string name_of_test(const ::testing::TestParamInfo<Case>& parameter) {
  std::string name;
  bool begins_word = true;
  for (const char letter : parameter.param.name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      name += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    begins_word = letter == ' ' || letter == '-';
  }
  return name;
}

class Model : public ::testing::TestWithParam<Case> {};

TEST_P(Model, HoldsInEveryInterleaving) {
  const Case& scenario = GetParam();
  if (scenario.is_large) GTEST_SKIP() << "too many interleavings; random ones are run";
  const Outcome every = run_every(scenario);
  EXPECT_EQ(every.failure, "") << "interleaving " << every.runs;
  std::cout << scenario.name << ": " << with_commas(every.runs) << " interleavings to context bound " << context_bound
            << std::endl;
}

TEST_P(Model, HoldsInRandomInterleavings) {
  const Case& scenario = GetParam();
  const Outcome random = run_random(scenario, random_runs / all_cases().size() + 1, first_seed);
  EXPECT_EQ(random.failure, "") << "seed " << first_seed + random.runs - 1;
  std::cout << scenario.name << ": " << with_commas(random.runs) << " random interleavings, seeds " << first_seed
            << " to " << first_seed + random.runs - 1 << std::endl;
}

INSTANTIATE_TEST_SUITE_P(Of, Model, ::testing::ValuesIn(all_cases()), name_of_test);

/// The first failure that a fault causes in a case, within some tens of thousands of interleavings.
Outcome run_some(const Case& scenario, const Fault& fault) {
  constexpr std::uint64_t runs = 30'000;
  Outcome every = run_every(scenario, fault, runs);
  if (!every.failure.empty()) return every;
  Outcome random = run_random(scenario, runs, first_seed, fault);
  random.runs += every.runs;
  return random;
}

void meet_all_orders() {
  for (const Case& scenario : all_cases()) ASSERT_EQ(run_random(scenario, 100, first_seed).failure, "");
}

// If weakening an order fails no case, the order is not needed or a case is missing.
TEST(Orders, AreEachNeeded) {
  meet_all_orders();
  for (const Order& order : orders_met()) {
    bool is_needed = false;
    for (const Case& scenario : all_cases()) {
      const Outcome outcome = run_some(scenario, {.kind = Fault::Kind::weak_order, .order = order});
      if (outcome.failure.empty()) continue;
      is_needed = true;
      std::cout << text_of(order) << " weakened: " << scenario.name << ", interleaving " << with_commas(outcome.runs)
                << ": " << outcome.failure << std::endl;
      break;
    }
    EXPECT_TRUE(is_needed) << text_of(order) << " may as well be relaxed";
  }
}

// Otherwise an order that no case uses would not be weakened.
TEST(Orders, OfTheSourcesAreAllMet) {
  meet_all_orders();
  std::set<std::string> met;
  for (const Order& order : orders_met()) met.insert(text_of(order));
  std::set<std::string> written;
  const std::regex order(R"(memory_order(?:_|::)(consume|acquire|release|acq_rel|seq_cst)\b)");
  for (const auto& file : std::filesystem::recursive_directory_iterator(LOCKSTEP_CORE)) {
    if (!file.is_regular_file()) continue;
    std::ifstream lines(file.path());
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number) {
      const std::string code = line.substr(0, line.find("//"));
      std::smatch found;
      if (!std::regex_search(code, found, order)) continue;
      written.insert(file.path().filename().string() + ":" + std::to_string(number) + " " + found[1].str());
    }
  }
  EXPECT_EQ(met, written);
  EXPECT_FALSE(met.empty());
}

void expect_is_caught(const std::string& what, const Case& scenario, const Fault& fault = {.kind = Fault::Kind::plan}) {
  const Outcome outcome = run_some(scenario, fault);
  EXPECT_NE(outcome.failure, "") << what << " goes unnoticed in " << scenario.name;
  std::cout << what << ": interleaving " << with_commas(outcome.runs) << ": " << outcome.failure << std::endl;
}

TEST(PlantedFault, OfAProtocolIsCaught) {
  for (const Case& broken :
       {hasty_barrier(), early_reader(), early_place(), early_inbox_reader(), early_memory_reader()}) {
    expect_is_caught(broken.name, broken);
  }
}

TEST(PlantedFault, OfAnOperationThatIsNotAtomicIsCaught) {
  const auto torn = [](std::string_view file, std::string_view scenario) {
    expect_is_caught("torn operation of " + std::string(file), case_of(scenario),
                     {.kind = Fault::Kind::torn_operation, .file = std::string(file)});
  };
  torn("gate.hpp", "gate of two");
  torn("inboxes.hpp", "inbox that two send to");
  torn("shared_memory.hpp", "slot that two write");
  torn("mark_tree.hpp", "marks of one group");
}

TEST(PlantedFault, OfAStoreThatIsLeftOutIsCaught) {
  const auto lost = [](std::string_view file, std::string_view scenario, unsigned stores) {
    for (unsigned number = 1; number <= stores; ++number) {
      expect_is_caught("lost store " + std::to_string(number) + " of " + std::string(file), case_of(scenario),
                       {.kind = Fault::Kind::lost_store, .file = std::string(file), .number = number});
    }
  };
  lost("mark_tree.hpp", "marks of a tall tree", 4);  // from the mark itself to the top: one that stops too early
  lost("link_network.hpp", "full compact channel", 3);
  lost("inboxes.hpp", "full inbox", 3);
  lost("shared_memory.hpp", "slot that is written again", 2);
  lost("phase_names.cpp", "one phase of two threads", 2);
}

TEST(PlantedFault, OfWaitingIsCaught) {
  expect_is_caught("nobody is notified", case_of("served gate of two"), {.kind = Fault::Kind::lost_notice});
  expect_is_caught("a lock that is open", case_of("one phase of two threads"), {.kind = Fault::Kind::open_lock});
}

}  // namespace

/// --long: ten times as many random interleavings; --seed N: the seed of the first.
bool read_arguments(int count, char** arguments) {
  for (int index = 1; index < count; ++index) {
    const std::string_view argument = arguments[index];
    if (argument == "--long") {
      random_runs *= 10;
    } else if (argument == "--seed" && index + 1 < count) {
      const std::string_view seed = arguments[++index];
      if (std::from_chars(seed.data(), seed.data() + seed.size(), first_seed).ec != std::errc{}) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace lockstep::model

int main(int count, char** arguments) {
  ::testing::InitGoogleTest(&count, arguments);
  if (!lockstep::model::read_arguments(count, arguments)) {
    std::cerr << "model_tests [--long] [--seed N], and the flags of GoogleTest\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
