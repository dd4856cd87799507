#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <ostream>
#include <relacy/relacy.hpp>
#include <sstream>

// Relacy defines these for programs that are written for it.
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace lockstep::model {

namespace {

constexpr std::size_t most_threads = 3;
/// For addresses that are first accessed when threads already run.
constexpr std::size_t spare_shadows = 28;

using Shadow = rl::atomic<Bits>;

/// The time of each thread's last access, by its own clock.
using Times = std::array<rl::timestamp_t, most_threads>;

/// The record of an address. A shadow is Relacy's record of an atomic there.
struct Cell {
  const void* at = nullptr;
  std::uint64_t run = 0;
  Shadow* shadow = nullptr;
  std::size_t bytes = 0;
  bool is_frozen = false;
  int sleeper = -1;
  Times loads{};
  Times stores{};
  Times reads{};   // without atomics
  Times writes{};  // likewise
};

/// All cells of the present run, by address. Before and after the threads, accesses go to memory only.
class Cells {
 public:
  void begin() {
    ++run_;
    shadows_ = used_ = count_ = 0;
    is_running_ = false;
  }
  /// From now on there are threads. Atomics written before keep their values.
  void run() {
    is_running_ = true;
    for (std::size_t atomic = 0; atomic < used_; ++atomic) {
      Cell& cell = *atomics_[atomic];
      if (!cell.is_frozen) cell.shadow = make_shadow(latest({const_cast<void*>(cell.at), cell.bytes}));
    }
    first_spare_ = shadows_;
    for (std::size_t spare = 0; spare < spare_shadows; ++spare) make_shadow(0);
  }
  void stop() { is_running_ = false; }
  void end() {
    for (std::size_t shadow = 0; shadow < shadows_; ++shadow) std::destroy_at(shadow_at(shadow));
  }
  bool is_running() const { return is_running_; }

  Cell& cell(const void* at) {
    std::size_t index = reinterpret_cast<std::uintptr_t>(at) * 0x9E3779B97F4A7C15U >> 54;
    while (cells_[index].run == run_ && cells_[index].at != at) index = (index + 1) % cells_.size();
    Cell& found = cells_[index];
    if (found.run != run_) {
      if (++count_ > cells_.size() / 2) fail("the model has too few cells");
      found = Cell{};
      found.at = at;
      found.run = run_;
    }
    return found;
  }

  Cell& atomic(const Place& place) {
    Cell& found = cell(place.at);
    if (found.bytes == 0) {
      found.bytes = place.bytes;
      atomics_[used_++] = &found;
      if (is_running_) give_spare(found, place);
    }
    return found;
  }

  /// Calls visit(cell) for every atomic among these bytes.
  template <class Visit>
  void for_atomics(const void* at, std::size_t bytes, Visit&& visit) {
    const auto first = reinterpret_cast<std::uintptr_t>(at);
    for (std::size_t atomic = 0; atomic < used_; ++atomic) {
      Cell& one = *atomics_[atomic];
      const auto begin = reinterpret_cast<std::uintptr_t>(one.at);
      if (begin >= first && begin < first + bytes) visit(one);
    }
  }

  void freeze() {
    for (std::size_t atomic = 0; atomic < used_; ++atomic) {
      Cell& one = *atomics_[atomic];
      one.is_frozen = latest({const_cast<void*>(one.at), one.bytes}) != 0;
    }
  }

  static Bits latest(const Place& place) {
    Bits bits = 0;
    std::memcpy(&bits, place.at, place.bytes);
    return bits;
  }

  [[noreturn]] static void fail(std::string_view what);

 private:
  Shadow* shadow_at(std::size_t shadow) { return std::launder(reinterpret_cast<Shadow*>(memory_[shadow].data())); }
  Shadow* make_shadow(Bits value) {
    if (shadows_ == memory_.size()) fail("the model has too few shadows");
    ::new (static_cast<void*>(memory_[shadows_].data())) Shadow(value);
    return shadow_at(shadows_++);
  }
  void give_spare(Cell& owner, const Place& place) {
    if (latest(place) != 0) fail("an atomic that is not 0 is first accessed by a thread");
    if (first_spare_ == shadows_) fail("the model has too few spare shadows");
    owner.shadow = shadow_at(first_spare_++);
  }

  struct alignas(Shadow) Memory : std::array<std::byte, sizeof(Shadow)> {};

  std::array<Cell, 1024> cells_{};
  std::array<Memory, 96> memory_;
  std::array<Cell*, 512> atomics_{};  // as many as cells
  std::uint64_t run_ = 0;
  std::size_t used_ = 0;
  std::size_t shadows_ = 0;
  std::size_t first_spare_ = 0;
  std::size_t count_ = 0;
  bool is_running_ = false;
};

Cells cells;
const Case* current_case = nullptr;
Fault fault;
unsigned stores_of_run = 0;
std::string failure;
std::array<bool, most_threads> finds_latest{};
std::vector<Order> orders;

void Cells::fail(std::string_view what) {
  failure = what;
  rl::ctx().fail_test(failure.c_str(), rl::test_result_user_assert_failed, rl::debug_info("", "", 0));
  std::abort();
}

rl::debug_info info_of(const Where& where) { return {where.function, where.file, where.line}; }

std::string place_of(const Where& where) {
  std::string_view file = where.file;
  file.remove_prefix(file.find_last_of('/') + 1);
  return std::string(file) + ":" + std::to_string(where.line);
}

bool is_in(const Where& where, std::string_view file) { return std::string_view(where.file).ends_with(file); }

rl::thread_info_base& self() { return *rl::ctx().threadx_; }

/// Fails unless all accesses at those times happen before now.
void check_order(const Times& then, const char* what, const Where& where) {
  for (std::size_t thread = 0; thread < current_case->threads; ++thread) {
    if (self().acq_rel_order_[thread] < then[thread]) {
      Cells::fail(std::string("data race: ") + what + " at " + place_of(where) + ", thread " +
                  std::to_string(self().index_) + " and thread " + std::to_string(thread));
    }
  }
}

void note(Times& times) { times[static_cast<std::size_t>(self().index_)] = ++self().own_acq_rel_order_; }

void note_read(Cell& cell, const Where& where) {
  check_order(cell.writes, "a read and a write", where);
  check_order(cell.stores, "a read and a store", where);
  note(cell.reads);
}

void note_write(Cell& cell, const Where& where) {
  check_order(cell.writes, "two writes", where);
  check_order(cell.stores, "a write and a store", where);
  check_order(cell.reads, "a write and a read", where);
  check_order(cell.loads, "a write and a load", where);
  note(cell.writes);
}

rl::memory_order relacy_order(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return rl::mo_relaxed;
    case std::memory_order_consume:
      return rl::mo_consume;
    case std::memory_order_acquire:
      return rl::mo_acquire;
    case std::memory_order_release:
      return rl::mo_release;
    case std::memory_order_acq_rel:
      return rl::mo_acq_rel;
    case std::memory_order_seq_cst:
      break;
  }
  return rl::mo_seq_cst;
}

bool is_of(const Order& order, const Where& where) { return order.line == where.line && order.file == where.file; }

/// The order to use, under the current fault.
rl::memory_order order_at(std::memory_order order, const Where& where) {
  if (order == std::memory_order_relaxed) return rl::mo_relaxed;
  if (std::none_of(orders.begin(), orders.end(), [&](const Order& met) { return is_of(met, where); })) {
    orders.push_back({where.file, where.line, order});
  }
  if (fault.kind == Fault::Kind::weak_order && is_of(fault.order, where)) return rl::mo_relaxed;
  return relacy_order(order);
}

bool is_torn(const Where& where) { return fault.kind == Fault::Kind::torn_operation && is_in(where, fault.file); }

void check_bytes(const Cell& cell, const Place& place) {
  if (cell.shadow->debug_value() != Cells::latest(place)) {
    Cells::fail("the bytes of an atomic were written without the model's knowledge");
  }
}

void begin_change(const Cell& cell, const Place& place) {
  if (cell.is_frozen) Cells::fail("a store to a frozen atomic");
  check_bytes(cell, place);
}

void end_load(Cell& cell, const Where& where) {
  check_order(cell.writes, "a load and a write", where);
  note(cell.loads);
}

void end_change(Cell& cell, const Place& place, const Where& where) {
  check_order(cell.writes, "a store and a write", where);
  check_order(cell.reads, "a store and a read", where);
  const Bits latest = cell.shadow->debug_value();
  std::memcpy(place.at, &latest, place.bytes);
  note(cell.stores);
}

/// Applies change(shadow, order, info), which returns the old value; if the operation is torn, stores `torn(old)`.
template <class Change, class Torn>
Bits read_and_change(const Place& place, std::memory_order order, const Where& where, Change&& change, Torn&& torn) {
  if (is_torn(where) || !cells.is_running()) {
    const Bits old = load(place, std::memory_order_relaxed, where);
    store(place, torn(old), order, where);
    return old;
  }
  Cell& cell = cells.atomic(place);
  begin_change(cell, place);
  const Bits old = change(*cell.shadow, order_at(order, where), info_of(where));
  end_load(cell, where);
  end_change(cell, place, where);
  return old;
}

}  // namespace

Bits load(Place place, std::memory_order order, const Where& where) {
  if (!cells.is_running()) return Cells::latest(place);
  Cell& cell = cells.atomic(place);
  if (cell.is_frozen) return Cells::latest(place);
  check_bytes(cell, place);
  bool& is_latest = finds_latest[static_cast<std::size_t>(self().index_)];
  if (std::exchange(is_latest, false)) {
    // An operation that also writes finds the latest value, and leaves it and its release sequence as they are.
    const Bits value = cell.shadow->fetch_add(0, order_at(order, where), info_of(where));
    end_load(cell, where);
    return value;
  }
  const Bits value = cell.shadow->load(order_at(order, where), info_of(where));
  end_load(cell, where);
  return value;
}

void store(Place place, Bits value, std::memory_order order, const Where& where) {
  if (!cells.is_running()) {
    cells.atomic(place);
    std::memcpy(place.at, &value, place.bytes);
    return;
  }
  Cell& cell = cells.atomic(place);
  begin_change(cell, place);
  const bool is_lost =
      fault.kind == Fault::Kind::lost_store && is_in(where, fault.file) && ++stores_of_run == fault.number;
  if (is_lost) return;
  cell.shadow->store(value, order_at(order, where), info_of(where));
  end_change(cell, place, where);
}

Bits fetch_add(Place place, Bits value, std::memory_order order, const Where& where) {
  return read_and_change(
      place, order, where,
      [=](Shadow& shadow, rl::memory_order how, const rl::debug_info& info) {
        return shadow.fetch_add(value, how, info);
      },
      [=](Bits old) { return old + value; });
}

Bits fetch_or(Place place, Bits value, std::memory_order order, const Where& where) {
  return read_and_change(
      place, order, where,
      [=](Shadow& shadow, rl::memory_order how, const rl::debug_info& info) {
        return shadow.fetch_or(value, how, info);
      },
      [=](Bits old) { return old | value; });
}

Bits exchange(Place place, Bits value, std::memory_order order, const Where& where) {
  return read_and_change(
      place, order, where,
      [=](Shadow& shadow, rl::memory_order how, const rl::debug_info& info) {
        return shadow.exchange(value, how, info);
      },
      [=](Bits) { return value; });
}

bool compare_exchange(Place place, Bits& expected, Bits value, std::memory_order order, const Where& where) {
  if (is_torn(where) || !cells.is_running()) {
    const Bits old = load(place, std::memory_order_relaxed, where);
    if (old == expected) {
      store(place, value, order, where);
      return true;
    }
    expected = old;
    return false;
  }
  Cell& cell = cells.atomic(place);
  begin_change(cell, place);
  const bool done = cell.shadow->compare_exchange_strong(expected, value, order_at(order, where), info_of(where));
  end_load(cell, where);
  if (done) end_change(cell, place, where);
  return done;
}

void wait(Place place, Bits old, std::memory_order order, const Where& where) {
  while (load(place, order, where) == old) {
    // No other thread runs between this read of the latest value and the sleep.
    if (Cells::latest(place) != old) {
      pause(where);
      continue;
    }
    cells.atomic(place).sleeper = self().index_;
    rl::ctx().park_current_thread(false, false, false, info_of(where));
  }
}

void notify_one(Place place, const Where& where) {
  rl::ctx().sched();
  if (fault.kind == Fault::Kind::lost_notice) return;
  const int sleeper = std::exchange(cells.atomic(place).sleeper, -1);
  if (sleeper >= 0) rl::ctx().unpark_thread(sleeper, false, info_of(where));
}

void read_owned(const void* at, const Where& where) {
  if (cells.is_running()) note_read(cells.cell(at), where);
}

void write_owned(void* at, const Where& where) {
  if (cells.is_running()) note_write(cells.cell(at), where);
}

void read_alone(const void* at, std::size_t bytes, const Where& where) {
  if (!cells.is_running()) return;
  cells.for_atomics(at, bytes, [&](Cell& cell) { note_read(cell, where); });
}

void clear_alone(void* at, std::size_t bytes, const Where& where) {
  std::memset(at, 0, bytes);
  if (!cells.is_running()) return;
  cells.for_atomics(at, bytes, [&](Cell& cell) {
    note_write(cell, where);
    const rl::preemption_disabler undisturbed(rl::ctx());
    cell.shadow->store(0, rl::mo_relaxed, info_of(where));
  });
}

void pause(const Where& where) { rl::yield(1, info_of(where)); }

void expect(bool holds, std::string_view otherwise, Where where) {
  if (!holds) Cells::fail(std::string(otherwise) + " at " + place_of(where));
}

void find_latest_in_next_load() { finds_latest[static_cast<std::size_t>(self().index_)] = true; }

void freeze() { cells.freeze(); }

void Signal::raise() {
  rl::ctx().sched();
  is_raised_ = true;
  if (waiting_ >= 0) rl::ctx().unpark_thread(std::exchange(waiting_, -1), false, rl::debug_info("", "", 0));
}

void Signal::await() {
  if (!is_raised_) {
    waiting_ = self().index_;
    rl::ctx().park_current_thread(false, false, false, rl::debug_info("", "", 0));
  }
  is_raised_ = false;
}

}  // namespace lockstep::model

namespace lockstep::detail {

Mutex::Mutex() : mutex_(::new rl::mutex) {}
Mutex::~Mutex() { ::delete static_cast<rl::mutex*>(mutex_); }
void Mutex::lock() {
  if (model::fault.kind != model::Fault::Kind::open_lock) static_cast<rl::mutex*>(mutex_)->lock(rl::debug_info());
}
void Mutex::unlock() {
  if (model::fault.kind != model::Fault::Kind::open_lock) static_cast<rl::mutex*>(mutex_)->unlock(rl::debug_info());
}

}  // namespace lockstep::detail

namespace lockstep::model {

namespace {

/// The class that Relacy runs as the test.
template <int threads>
struct Suite : rl::test_suite<Suite<threads>, threads> {
  ~Suite() { cells.end(); }

  void before() {
    cells.begin();
    stores_of_run = 0;
    finds_latest.fill(false);
    scenario = current_case->make();
    cells.run();
  }
  void thread(unsigned index) {
    std::string thrown;
    try {
      scenario->thread(index);
    } catch (const std::exception& exception) {
      thrown = exception.what();
    }
    if (!thrown.empty()) Cells::fail("a thread throws: " + thrown);  // not in the handler: fail() does not return
  }
  void after() {
    cells.stop();
    scenario->after();
    scenario.reset();
  }

  std::unique_ptr<Scenario> scenario;
};

/// A scheduler of Relacy that ends after `at_most` runs.
template <class Scheduler>
class Ending : public Scheduler {
 public:
  using Scheduler::Scheduler;
  bool iteration_end() { return Scheduler::iteration_end() || ++runs_ >= at_most; }

  static inline std::uint64_t at_most = 0;

 private:
  std::uint64_t runs_ = 0;
};

/// Relacy manages the memory of the code it checks and also tries its reuse: many interleavings, of memory that is not
/// shared here.
template <class Suite, class Scheduler>
class Context : public rl::context_impl<Suite, Scheduler> {
 public:
  using rl::context_impl<Suite, Scheduler>::context_impl;

 private:
  void* alloc(std::size_t size) override { return std::malloc(size); }
  void free(void* memory) override { std::free(memory); }
};

std::ostream& nowhere() {
  static std::ostream stream(nullptr);
  return stream;
}

template <class Suite, class Scheduler>
void simulate(rl::test_params& parameters, std::uint64_t at_most) {
  using Ends = Ending<Scheduler>;
  using Simulation = Context<Suite, Ends>;
  Ends::at_most = at_most;
  rl::ostringstream state;
  const auto run = [&](bool again) {
    typename Ends::shared_context_t shared;
    rl::istringstream from(parameters.initial_state);
    Simulation(parameters, shared).simulate(state, from, again);
  };
  run(false);
  if (parameters.test_result == rl::test_result_success || fault.kind != Fault::Kind::none) return;
  // A failure without a fault is shown with its history.
  const rl::test_params first = parameters;
  parameters.initial_state = state.str();
  parameters.collect_history = true;
  parameters.output_stream = &std::cerr;
  run(true);
  parameters.stop_iteration = first.stop_iteration;
}

template <int threads>
void simulate(rl::test_params& parameters, std::uint64_t at_most) {
  if (parameters.search_type == rl::sched_random) {
    simulate<Suite<threads>, rl::random_scheduler<threads>>(parameters, at_most);
  } else {
    simulate<Suite<threads>, rl::context_bound_scheduler<threads>>(parameters, at_most);
  }
}

Outcome run(const Case& scenario, const Fault& planted, rl::test_params& parameters, std::uint64_t first,
            std::uint64_t at_most) {
  current_case = &scenario;
  fault = planted;
  failure.clear();
  parameters.output_stream = parameters.progress_stream = &nowhere();
  if (scenario.threads == 2) {
    simulate<2>(parameters, at_most);
  } else {
    simulate<3>(parameters, at_most);
  }
  fault = {};
  Outcome outcome{{}, parameters.stop_iteration - first + 1};
  if (parameters.test_result != rl::test_result_success) {
    outcome.failure = failure.empty() ? rl::test_result_str(parameters.test_result) : failure;
  }
  return outcome;
}

}  // namespace

std::string text_of(const Order& order) {
  const std::string_view names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return order.file.substr(order.file.find_last_of('/') + 1) + ":" + std::to_string(order.line) + " " +
         std::string(names[static_cast<std::size_t>(order.order)]);
}

Outcome run_every(const Case& scenario, const Fault& planted, std::uint64_t at_most) {
  rl::test_params parameters;
  parameters.search_type = rl::sched_bound;
  parameters.context_bound = context_bound;
  return run(scenario, planted, parameters, 1, at_most);
}

Outcome run_random(const Case& scenario, std::uint64_t runs, std::uint64_t seed, const Fault& planted) {
  rl::test_params parameters;
  parameters.search_type = rl::sched_random;
  parameters.iteration_count = seed + runs - 1;
  rl::ostringstream state;
  state << seed << ' ';
  parameters.initial_state = state.str();
  return run(scenario, planted, parameters, seed, runs);
}

std::vector<Order> orders_met() { return orders; }

}  // namespace lockstep::model
