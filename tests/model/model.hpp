#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"

// Runs a scenario of a few threads under Relacy: in every interleaving of its accesses with at most context_bound
// switches from a thread that could continue, or in random ones. Relacy runs the threads one at a time, so that none of
// this is concurrent, and gives loads any value that the C++ memory model allows them.
namespace lockstep::model {

/// The work of the threads of one run, made anew for each. Its constructor and after() run alone.
class Scenario {
 public:
  Scenario() = default;
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;
  virtual ~Scenario() = default;

  virtual void thread(unsigned index) = 0;
  virtual void after() {}
};

struct Case {
  std::string name;
  unsigned threads;  ///< 2 or 3
  std::function<std::unique_ptr<Scenario>()> make;
  bool is_large = false;  ///< it has too many interleavings to run them all
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

template <class S, class... Arguments>
Case make_case(std::string name, unsigned threads, Arguments... arguments) {
  return {std::move(name), threads, [=] { return std::make_unique<S>(arguments...); }, false};
}

// For use within a scenario.

/// Ends the run as failed unless `holds`.
void expect(bool holds, std::string_view otherwise, Where where = Where::current());

/// Makes the next load of this thread find the latest value, as if ordered by something outside the model.
void find_latest_in_next_load();

/// Makes loads of all present atomics that are not 0 go without a switch: a store to one of these fails the run.
void freeze();

/// Holds a thread until another one raises it, and orders nothing.
class Signal {
 public:
  void raise();
  void await();

 private:
  bool is_raised_ = false;
  int waiting_ = -1;
};

// For use from outside.

/// A memory order that is not relaxed, and its source line.
struct Order {
  std::string file;
  unsigned line;
  std::memory_order order;

  friend auto operator<=>(const Order&, const Order&) = default;
};
std::string text_of(const Order& order);

/// A deliberate fault.
struct Fault {
  enum class Kind {
    none,
    plan,            ///< the scenario itself
    weak_order,      ///< `order` is relaxed
    torn_operation,  ///< operations in `file` that read and write do so in two steps
    lost_store,      ///< the store with this number, from 1, among those in `file` that a run executes does nothing
    lost_notice,     ///< notifications have no effect
    open_lock        ///< locks exclude no thread
  };
  Kind kind = Kind::none;
  Order order{};
  std::string file{};
  unsigned number = 0;
};

struct Outcome {
  std::string failure;  ///< of the first run that failed; empty if none did
  std::uint64_t runs;
};

inline constexpr unsigned context_bound = 3;

/// Every interleaving up to context_bound, or the first `at_most` of them, until one fails.
Outcome run_every(const Case& scenario, const Fault& fault = {}, std::uint64_t at_most = ~std::uint64_t{0});
/// `runs` random ones, with seeds from `seed` on, until one fails.
Outcome run_random(const Case& scenario, std::uint64_t runs, std::uint64_t seed, const Fault& fault = {});

/// The orders that runs have used so far.
std::vector<Order> orders_met();

}  // namespace lockstep::model
