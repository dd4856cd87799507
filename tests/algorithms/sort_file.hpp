#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "data_directory.hpp"
#include "method_run.hpp"

namespace lockstep {

inline Settings sort_settings(std::uint64_t words, const std::string& type = "int64") {
  Settings settings;
  settings.words = words;
  settings.type = type;
  return settings;
}

/// A sort and its machine.
struct SortOn {
  SortOn(const char* on_machine, std::string_view by_method = "sort/bitonic", std::optional<std::string> by_move = {})
      : machine(on_machine), method(by_method), move(std::move(by_move)) {}

  std::string text() const { return std::string(method) + " on " + machine + ", " + move.value_or("no move"); }

  std::string machine;
  std::string_view method;
  std::optional<std::string> move;
};

/// Sorts of files.
class SortFile : public DataDirectory {
 protected:
  Outcome sort(const SortOn& how, const std::string& input, std::optional<std::string> type = {},
               std::optional<std::uint64_t> words = {}) const {
    Settings settings;
    settings.words = words;
    settings.type = std::move(type);
    settings.move = how.move;
    settings.input = file("in", input);
    settings.output = path("out");
    return BuiltMachine(how.machine).run(how.method, model_of(PortModel::one), settings);
  }

  /// Sorts these numbers and expects the result of std::sort in the file.
  void expect_sorted(const SortOn& how, std::vector<std::int64_t> numbers,
                     std::optional<std::uint64_t> words = {}) const {
    EXPECT_EQ(sort(how, lines_of(numbers), {}, words).wrong, "");
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(text_of(path("out")), lines_of(numbers));
  }

  /// Sorts a file and writes none, which takes the most time; the method's oracle compares with std::sort.
  static void expect_verified(const SortOn& how, const std::string& input) {
    Settings settings;
    settings.move = how.move;
    settings.input = input;
    EXPECT_EQ(BuiltMachine(how.machine).run(how.method, model_of(PortModel::one), settings).wrong, "");
  }

  static std::string lines_of(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers) text.append(std::to_string(number)).append("\n");
    return text;
  }
};

}  // namespace lockstep
