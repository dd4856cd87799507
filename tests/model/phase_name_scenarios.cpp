#include <algorithm>
#include <string>
#include <vector>

#include "cycle/phase_names.hpp"
#include "scenarios.hpp"

namespace lockstep::model {

namespace {

/// Every thread requests the numbers of its names when some are known already.
class Naming : public Scenario {
 public:
  using Names = std::vector<std::string>;

  Naming(unsigned known, std::vector<Names> by_threads) : known_(known), names_(std::move(by_threads)) {
    for (unsigned name = 1; name < known_; ++name) numbers_.number("known " + std::to_string(name));
    freeze();
    for (const Names& names : names_) found_.emplace_back(names.size());
  }

  void thread(unsigned index) override {
    for (std::size_t name = 0; name < names_[index].size(); ++name) {
      found_[index][name] = numbers_.number(names_[index][name]);
    }
  }

  void after() override {
    Names different;
    unsigned refused = 0;
    for (std::size_t thread = 0; thread < names_.size(); ++thread) {
      for (std::size_t name = 0; name < names_[thread].size(); ++name) {
        const std::size_t number = found_[thread][name];
        if (number == 0) {
          ++refused;
          continue;
        }
        expect(numbers_.name(number) == names_[thread][name], "a name has the number of another one");
        const bool is_new = !names_[thread][name].starts_with("known");
        if (is_new && std::find(different.begin(), different.end(), names_[thread][name]) == different.end()) {
          different.push_back(names_[thread][name]);
        }
      }
    }
    expect(numbers_.size() == known_ + different.size(), "the number of numbers differs from that of names");
    expect(numbers_.too_many() == (refused != 0), "too many names are recorded wrongly");
    expect(refused == 0 || numbers_.size() == detail::Worker::most_phases, "a name is refused too early");
  }

 private:
  const unsigned known_;
  detail::PhaseNames numbers_;
  const std::vector<Names> names_;
  std::vector<std::vector<std::size_t>> found_;
};

}  // namespace

std::vector<Case> phase_name_cases() {
  using All = std::vector<std::vector<std::string>>;
  return {make_case<Naming>("one phase of two threads", 2, 1U, All{{"a", "b"}, {"a", "b"}}),
          make_case<Naming>("phases in two orders", 2, 1U, All{{"a", "b"}, {"b", "a"}}),
          make_case<Naming>("phases of three threads", 3, 2U, All{{"a"}, {"a"}, {"b", "known 1"}}),
          make_case<Naming>("too many phases", 2, 63U, All{{"a", "known 7"}, {"b"}})};
}

}  // namespace lockstep::model
