#include <vector>

#include "cycles.hpp"
#include "scenarios.hpp"

namespace lockstep::model {

namespace {

using detail::Owned;

/// The caller writes, the parts read that and write, and the caller reads their values.
class Handover : public Cycles {
 public:
  explicit Handover(unsigned workers, bool is_hasty = false) : Cycles(workers, cycles), answers_(workers) {
    if (is_hasty) wait_for_one_part_less();
  }

 private:
  static constexpr unsigned cycles = 2;

  void begin(unsigned cycle) override { question_ = 10 * (cycle + 1); }
  void work(unsigned worker, unsigned cycle) override {
    expect(question_ == 10 * (cycle + 1), "a part reads what the caller wrote for another cycle");
    answers_[worker] = question_ + worker;
  }
  void barrier(unsigned cycle) override {
    for (unsigned worker = 0; worker < answers_.size(); ++worker) {
      expect(answers_[worker] == 10 * (cycle + 1) + worker, "the caller reads what a part wrote in another cycle");
    }
  }

  Owned<unsigned> question_ = 0;
  std::vector<Owned<unsigned>> answers_;
};

/// The threads of the executor `threads`, which sleep between runs; some have no part in a run.
class Served : public Scenario {
 public:
  explicit Served(std::vector<unsigned> parts_of_runs, unsigned threads)
      : parts_of_runs_(std::move(parts_of_runs)), gate_(threads), answers_(threads) {}

  void thread(unsigned index) override {
    if (index != 0) return gate_.serve(index);
    unsigned last = 0;
    for (const unsigned parts : parts_of_runs_) {
      question_ = last += 10;
      gate_.run(
          parts, parts,
          [](void* self, unsigned part, std::size_t, std::size_t) { static_cast<Served*>(self)->work(part); }, this);
      for (unsigned part = 0; part < parts; ++part) {
        expect(answers_[part] == last + part, "the caller reads what a part wrote in another run");
      }
    }
    gate_.close();
  }

 private:
  void work(unsigned part) { answers_[part] = question_ + part; }

  const std::vector<unsigned> parts_of_runs_;
  detail::ServedGate gate_;
  Owned<unsigned> question_ = 0;
  std::vector<Owned<unsigned>> answers_;
};

}  // namespace

std::vector<Case> gate_cases() {
  using Runs = std::vector<unsigned>;
  Case all_three = make_case<Served>("served gate of three", 3, Runs{3, 2}, 3U);
  all_three.is_large = true;
  return {make_case<Handover>("gate of two", 2, 2U), make_case<Handover>("gate of three", 3, 3U),
          make_case<Served>("served gate of two", 2, Runs{2, 2}, 2U),
          make_case<Served>("served gate of three for two", 3, Runs{2}, 3U), all_three};
}

Case hasty_barrier() { return make_case<Handover>("barrier that does not wait for the last part", 2, 2U, true); }

}  // namespace lockstep::model
