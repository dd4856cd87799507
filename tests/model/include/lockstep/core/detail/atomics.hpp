#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Stands in for the header of the same name in the core: every access goes through the model (model.hpp).

namespace lockstep::model {

/// The source line of an access: functions with one as last argument receive that of their caller.
struct Where {
  const char* file;
  unsigned line;
  const char* function;

  static constexpr Where current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE(),
                                 const char* function = __builtin_FUNCTION()) {
    return {file, line, function};
  }
};

/// A value as the model keeps it.
using Bits = std::uint64_t;

/// A place in memory that is accessed as an atomic; its bytes are always the latest value.
struct Place {
  void* at;
  std::size_t bytes;
};

Bits load(Place place, std::memory_order order, const Where& where);
void store(Place place, Bits value, std::memory_order order, const Where& where);
Bits fetch_add(Place place, Bits value, std::memory_order order, const Where& where);
Bits fetch_or(Place place, Bits value, std::memory_order order, const Where& where);
Bits exchange(Place place, Bits value, std::memory_order order, const Where& where);
bool compare_exchange(Place place, Bits& expected, Bits value, std::memory_order order, const Where& where);
/// Returns once the value is not `old`: while the latest value is `old`, sleeps until notify_one().
void wait(Place place, Bits old, std::memory_order order, const Where& where);
void notify_one(Place place, const Where& where);

/// Reads and writes without atomics by the owner at the time: the run fails if another access to the object at the
/// address is not ordered with it.
void read_owned(const void* at, const Where& where);
void write_owned(void* at, const Where& where);
/// The same for bytes that are accessed as atomics at other times.
void read_alone(const void* at, std::size_t bytes, const Where& where);
void clear_alone(void* at, std::size_t bytes, const Where& where);

void pause(const Where& where);

template <class T>
inline constexpr std::size_t size_of = sizeof(T);  // NOLINT: also of pointers

template <class T>
Bits bits_of(const T& value) {
  Bits bits = 0;
  std::memcpy(&bits, &value, size_of<T>);
  return bits;
}
template <class T>
T value_of(Bits bits) {
  T value;
  std::memcpy(&value, &bits, size_of<T>);
  return value;
}

/// The operations of an atomic on a place.
template <class T>
class Access {
 public:
  explicit Access(const T& at) : place_{const_cast<T*>(&at), size_of<T>} {}

  T load(std::memory_order order, Where where = Where::current()) const {
    return value_of<T>(model::load(place_, order, where));
  }
  void store(T value, std::memory_order order, Where where = Where::current()) const {
    model::store(place_, bits_of(value), order, where);
  }
  T fetch_add(T value, std::memory_order order, Where where = Where::current()) const {
    return value_of<T>(model::fetch_add(place_, bits_of(value), order, where));
  }
  T fetch_or(T value, std::memory_order order, Where where = Where::current()) const {
    return value_of<T>(model::fetch_or(place_, bits_of(value), order, where));
  }
  T exchange(T value, std::memory_order order, Where where = Where::current()) const {
    return value_of<T>(model::exchange(place_, bits_of(value), order, where));
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order order, Where where = Where::current()) const {
    Bits bits = bits_of(expected);
    const bool done = model::compare_exchange(place_, bits, bits_of(value), order, where);
    expected = value_of<T>(bits);
    return done;
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order order, Where where = Where::current()) const {
    return compare_exchange_strong(expected, value, order, where);
  }
  void wait(T old, std::memory_order order, Where where = Where::current()) const {
    model::wait(place_, bits_of(old), order, where);
  }
  void notify_one(Where where = Where::current()) const { model::notify_one(place_, where); }

 private:
  Place place_;
};

}  // namespace lockstep::model

namespace lockstep::detail {

template <class T>
using AtomicRef = model::Access<T>;

/// Holds only its value, like std::atomic, so that zero bytes are a valid record of them.
template <class T>
class Atomic {
  using Where = model::Where;

 public:
  static constexpr bool is_always_lock_free = true;

  Atomic() = default;
  Atomic(T value, Where where = Where::current()) {
    if (value != T{}) access().store(value, std::memory_order_relaxed, where);
  }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order, Where where = Where::current()) const { return access().load(order, where); }
  void store(T value, std::memory_order order, Where where = Where::current()) { access().store(value, order, where); }
  T fetch_add(T value, std::memory_order order, Where where = Where::current()) {
    return access().fetch_add(value, order, where);
  }
  T exchange(T value, std::memory_order order, Where where = Where::current()) {
    return access().exchange(value, order, where);
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order order, Where where = Where::current()) {
    return access().compare_exchange_strong(expected, value, order, where);
  }
  void wait(T old, std::memory_order order, Where where = Where::current()) const { access().wait(old, order, where); }
  void notify_one(Where where = Where::current()) { access().notify_one(where); }

 private:
  model::Access<T> access() const { return model::Access<T>(value_); }

  T value_{};
};

class Mutex {
 public:
  Mutex();
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  ~Mutex();
  void lock();
  void unlock();

 private:
  void* mutex_;
};

/// Memory of one owner at a time, with every access recorded.
template <class T>
class Owned {
  using Where = model::Where;

 public:
  Owned() = default;
  Owned(T value, Where where = Where::current()) { set(value, where); }
  Owned(const Owned& other, Where where = Where::current()) noexcept { set(other.get(where), where); }
  Owned& operator=(const Owned& other) noexcept { return *this = other.get(Where::current()); }
  ~Owned() = default;

  // A conversion and an operator cannot receive their caller's line.
  operator T() const { return get(Where::current()); }
  Owned& operator=(T value) {
    set(value, Where::current());
    return *this;
  }
  T operator++() { return set(static_cast<T>(get(Where::current()) + 1), Where::current()); }

 private:
  T get(const Where& where) const {
    model::read_owned(&value_, where);
    return value_;
  }
  T set(T value, const Where& where) {
    model::write_owned(&value_, where);
    return value_ = value;
  }

  T value_;
};

/// A text that is written once and read for comparison.
template <>
class Owned<std::string> : public std::string {
 public:
  explicit Owned(std::string_view text) : std::string(text) { model::write_owned(this, model::Where::current()); }

  friend bool operator==(const Owned& text, std::string_view other) {
    model::read_owned(&text, model::Where::current());
    return std::string_view(text) == other;
  }
};

inline void read_alone(void* to, const void* bytes, std::size_t count, model::Where where = model::Where::current()) {
  model::read_alone(bytes, count, where);
  std::memcpy(to, bytes, count);
}
inline void clear_alone(void* bytes, std::size_t count, model::Where where = model::Where::current()) {
  model::clear_alone(bytes, count, where);
}
template <class T>
T take_alone(T& value, model::Where where = model::Where::current()) {
  T taken;
  detail::read_alone(&taken, &value, sizeof value, where);
  detail::clear_alone(&value, sizeof value, where);
  return taken;
}

/// Few, to keep the interleavings few.
inline constexpr unsigned looks_before_sleep = 1;

inline void pause(unsigned, model::Where where = model::Where::current()) { model::pause(where); }

}  // namespace lockstep::detail
