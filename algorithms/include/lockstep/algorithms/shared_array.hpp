#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace lockstep {

/// Copies `count` values, of which there are often few: then a call costs more than the copy.
template <class T>
inline void copy_some(const T* from, std::uint64_t count, T* to) {
  switch (count) {
    case 0:
      return;
    case 1:
      *to = *from;
      return;
    case 3:  // the labels and the word of a piece of one
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
      return;
    default:
      std::copy_n(from, count, to);
  }
}

/// An array that grows at its end. Copies share their memory until one of them changes: then that one gets memory of
/// its own. So a payload with many receivers is one buffer, and no receiver sees what another does to it.
///
/// Different threads may use different copies at once; one copy is for one thread at a time.
///
/// 1. The values and the size of a cell change only while it has one holder, and then only through that one.
/// 2. A holder that lets go of a cell releases what it has read (fetch_sub); one that finds itself the only holder
///    acquires that before it changes or frees the cell (load in is_shared, fetch_sub).
template <class T>
class SharedArray {
  static_assert(std::is_nothrow_move_constructible_v<T> && alignof(T) <= alignof(std::uint64_t));

 public:
  /// Empty, without memory.
  SharedArray() = default;
  SharedArray(const SharedArray& other) noexcept : cell_(other.cell_) {
    if (cell_ != nullptr) cell_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  SharedArray(SharedArray&& other) noexcept : cell_(std::exchange(other.cell_, nullptr)) {}
  SharedArray& operator=(const SharedArray& other) noexcept { return *this = SharedArray(other); }
  SharedArray& operator=(SharedArray&& other) noexcept {
    Cell* const cell = std::exchange(other.cell_, nullptr);
    let_go();
    cell_ = cell;
    return *this;
  }
  ~SharedArray() { let_go(); }

  /// The number of values.
  std::uint64_t size() const { return cell_ == nullptr ? 0 : cell_->size; }
  /// Whether it is empty.
  bool empty() const { return size() == 0; }
  /// The values, to be read; null if there are none.
  const T* data() const { return cell_ == nullptr ? nullptr : cell_->values(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  /// A value below size(), to be read.
  const T& operator[](std::uint64_t index) const { return cell_->values()[index]; }
  /// Whether copies share the memory.
  bool is_shared() const { return cell_ != nullptr && cell_->holders.load(std::memory_order_acquire) != 1; }

  /// The values, to be changed; copies them first if others share them.
  T* edit() {
    if (is_shared()) move_to(cell_->size);
    return cell_ == nullptr ? nullptr : cell_->values();
  }
  /// Adds room for `count` values at the end; trivial ones are not initialised.
  T* extend(std::uint64_t count) {
    const std::uint64_t before = size();
    if (cell_ == nullptr || is_shared() || cell_->capacity - before < count) {
      if (count == 0) return edit();
      const std::uint64_t grown = before < little ? 8 * before : 2 * before;  // small arrays tend to grow
      move_to(before == 0 ? count : std::max(before + count, grown));
    }
    cell_->size = before + count;
    if constexpr (!is_plain) std::uninitialized_value_construct_n(cell_->values() + before, count);
    return cell_->values() + before;
  }
  /// Appends copies of `count` values.
  void append(const T* values, std::uint64_t count) { copy_some(values, count, extend(count)); }
  /// Appends the other's values, which are moved unless a copy shares them.
  void append(SharedArray other) {
    if (other.empty()) return;
    if (empty()) return std::swap(cell_, other.cell_);
    T* const room = extend(other.size());
    if (is_plain || other.is_shared()) {
      copy_some(other.begin(), other.size(), room);
    } else {
      std::move(other.cell_->values(), other.cell_->values() + other.size(), room);
    }
  }
  /// Removes all values but the first `count`; the memory stays.
  void truncate(std::uint64_t count) {
    if (count == 0 && is_shared()) {
      let_go();
      cell_ = nullptr;
    } else if (count < size()) {
      edit();
      if constexpr (!is_plain) std::destroy(cell_->values() + count, cell_->values() + cell_->size);
      cell_->size = count;
    }
  }
  /// Makes room for `count` values altogether.
  void reserve(std::uint64_t count) {
    if (count > (cell_ == nullptr ? 0 : cell_->capacity)) move_to(count);
  }

  /// Releases memory if less than a quarter of it is used.
  void shrink() {
    if (cell_ != nullptr && cell_->capacity > 4 * cell_->size + 8 * little) move_to(cell_->size);
  }

  friend bool operator==(const SharedArray& a, const SharedArray& b) {
    return a.cell_ == b.cell_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  /// Bytes that an array of `count` values takes besides itself, with the cost of an allocation.
  static constexpr std::uint64_t bytes(std::uint64_t count) { return sizeof(Cell) + count * sizeof(T) + 16; }

 private:
  struct Cell {
    std::atomic<std::uint64_t> holders;
    std::uint64_t size;
    std::uint64_t capacity;

    T* values() { return reinterpret_cast<T*>(this + 1); }  // NOLINT: they lie behind the cell
  };

  static constexpr std::uint64_t little = 64;  // values
  static constexpr bool is_plain = std::is_trivially_copyable_v<T>;

  /// Moves the values, at most `capacity`, to a cell of that capacity that is not shared.
  void move_to(std::uint64_t capacity) {
    Cell* const cell = new (::operator new(sizeof(Cell) + capacity * sizeof(T))) Cell{1, size(), capacity};
    if (is_plain || is_shared()) {
      std::uninitialized_copy_n(data(), cell->size, cell->values());
    } else if (cell_ != nullptr) {
      std::uninitialized_move_n(cell_->values(), cell->size, cell->values());
    }
    let_go();
    cell_ = cell;
  }
  // Compilers inline this test, which is all that a block of one word needs.
  void let_go() noexcept {
    if (cell_ != nullptr) let_go_of_cell();
  }
  void let_go_of_cell() noexcept {
    if (is_shared() && cell_->holders.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if constexpr (!is_plain) std::destroy_n(cell_->values(), cell_->size);
    ::operator delete(cell_);
  }

  Cell* cell_ = nullptr;
};

}  // namespace lockstep
