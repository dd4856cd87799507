#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"

// Runs a scenario of a few threads under Relacy: in every interleaving of its accesses that switches from a thread that
// could go on at most so many times, or in random ones. Relacy runs the threads one at a time, so that none of this is
// concurrent, and gives loads any value that the C++ memory model allows them.
namespace lockstep::model {

/// What the threads of one run do, made for it alone. Its constructor and after() have the memory for themselves.
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

// Within a scenario.

/// Ends the run as failed unless that holds.
void expect(bool holds, std::string_view otherwise, Where where = Where::current());

/// Has the next load of this thread find the latest value, as if ordered by what the model does not show.
void find_latest_in_next_load();

/// Has all loads of what is there and not 0 go without a switch: a store to one of these fails the run.
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

// From outside.

/// A memory order that is not relaxed, and where it is.
struct Order {
  std::string file;
  unsigned line;
  std::memory_order order;

  friend auto operator<=>(const Order&, const Order&) = default;
};
std::string text_of(const Order& order);

/// What is wrong on purpose.
struct Fault {
  enum class Kind {
    none,
    plan,            ///< the scenario itself
    weak_order,      ///< `order` is relaxed
    torn_operation,  ///< operations in `file` that read and write do so one after the other
    lost_store,      ///< of the stores in `file` that a run executes the one of this number, from 1, does nothing
    lost_notice,     ///< nobody is notified
    open_lock        ///< locks keep nobody out
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

/// Every interleaving up to context_bound, or the first so many of them, until one fails.
Outcome run_every(const Case& scenario, const Fault& fault = {}, std::uint64_t at_most = ~std::uint64_t{0});
/// So many random ones, the first with that seed, the next with the next; until one fails.
Outcome run_random(const Case& scenario, std::uint64_t runs, std::uint64_t seed, const Fault& fault = {});

/// The orders that runs have met so far.
std::vector<Order> orders_met();

}  // namespace lockstep::model
