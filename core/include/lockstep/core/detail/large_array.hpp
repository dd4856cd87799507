#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace lockstep::detail {

/// Zeroed memory. If it is larger than the caches, its pages stay untouched until their first access. Uses huge pages
/// where they help. Throws std::bad_alloc. Freed by free_pages with the same number of bytes.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory, std::size_t bytes);

/// A fixed number of elements in zeroed memory. Types for which zero bytes are no valid value are constructed by the
/// owner, so that several threads can share the work: the first touch places a page, and page faults cost more than
/// anything else in setting up a large machine.
template <class T>
class LargeArray {
 public:
  LargeArray() = default;
  /// Throws std::bad_alloc if the elements do not fit in memory.
  explicit LargeArray(std::size_t size) : data_(static_cast<T*>(allocate_pages(bytes_of(size)))), size_(size) {}
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LargeArray() {
    if (data_ != nullptr) free_pages(data_, bytes_of(size_));
  }

  /// Default-constructs elements first .. last-1.
  void construct(std::size_t first, std::size_t last) {
    std::uninitialized_value_construct(data_ + first, data_ + last);
  }
  void destroy(std::size_t first, std::size_t last) { std::destroy(data_ + first, data_ + last); }

  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static std::size_t bytes_of(std::size_t size) {
    if (size > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return size * sizeof(T);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace lockstep::detail
