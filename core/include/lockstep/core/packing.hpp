#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep {

// Values as bytes, for another process of the same program on a host of the same kind: numbers keep their form in
// memory. A type of your own needs two free functions beside it, pack(const T&, ByteWriter&), and unpack(ByteReader&,
// std::type_identity<T>), which returns an equal value.

/// The bytes that one process sends to another.
using Bytes = std::vector<std::byte>;

/// Values that several messages of one delivery share, which are sent and stored only once: both ends number them in
/// the order in which they are first put. Kept until the delivery has been packed or unpacked.
class SharedValues {
 public:
  /// The number of the value of this size at this address; none if it was not put before.
  std::optional<std::uint64_t> number(const void* address, std::uint64_t size) const {
    const auto known = numbers_.find({address, size});
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Numbers the value at this address, which `value` keeps alive.
  void add(const void* address, std::uint64_t size, std::shared_ptr<const void> value) {
    numbers_.emplace(std::pair(address, size), values_.size());
    values_.push_back(std::move(value));
  }
  /// Numbers a value that was received.
  void add(std::shared_ptr<const void> value) { values_.push_back(std::move(value)); }
  /// A value by its number. Throws std::out_of_range if there is none.
  const void* value(std::uint64_t number) const { return values_.at(number).get(); }

 private:
  std::map<std::pair<const void*, std::uint64_t>, std::uint64_t> numbers_;
  std::vector<std::shared_ptr<const void>> values_;
};

/// Appends values to bytes.
class ByteWriter {
 public:
  /// With `shared`, values that messages share are put once.
  explicit ByteWriter(Bytes& bytes, SharedValues* shared = nullptr) : bytes_(bytes), shared_(shared) {}

  /// Null if every message is put whole.
  SharedValues* shared() const { return shared_; }

  /// Appends the bytes of a number, or of a structure of numbers.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put_all(std::span(&value, 1)); }
  /// Appends the bytes of all of them, without their count.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put_all(std::span<T> values) {
    if (values.empty()) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + values.size_bytes());
    std::memcpy(bytes_.data() + before, values.data(), values.size_bytes());
  }

 private:
  Bytes& bytes_;
  SharedValues* shared_;
};

/// Takes values from bytes in the order in which they were put there. Throws std::out_of_range past their end.
class ByteReader {
 public:
  /// With `shared`, if the bytes were written with one.
  explicit ByteReader(std::span<const std::byte> bytes, SharedValues* shared = nullptr)
      : left_(bytes), shared_(shared) {}

  /// Null if every message was put whole.
  SharedValues* shared() const { return shared_; }

  /// Whether all has been taken.
  bool at_end() const { return left_.empty(); }

  /// The next value.
  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    get_all(std::span<T>(&value, 1));
    return value;
  }
  /// The next values, as many as there is room for.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get_all(std::span<T> values) {
    if (values.empty()) return;
    if (values.size_bytes() > left_.size()) throw std::out_of_range("fewer bytes came than were to be read");
    std::memcpy(values.data(), left_.data(), values.size_bytes());
    left_ = left_.subspan(values.size_bytes());
  }
  /// The count of values that follow, each at least `bytes_each` bytes long.
  std::size_t get_count(std::size_t bytes_each) {
    const auto count = get<std::uint64_t>();
    require(count, bytes_each);
    return static_cast<std::size_t>(count);
  }
  /// Checks, before room is made for them, that `count` values of `bytes_each` bytes each follow.
  void require(std::uint64_t count, std::size_t bytes_each) const {
    if (count > left_.size() / bytes_each) throw std::out_of_range("fewer bytes came than were to be read");
  }

 private:
  std::span<const std::byte> left_;
  SharedValues* shared_;
};

/// A number as its bytes.
template <class T>
requires std::is_arithmetic_v<T>
void pack(const T& value, ByteWriter& to) { to.put(value); }
/// A number from its bytes.
template <class T>
requires std::is_arithmetic_v<T> T unpack(ByteReader& from, std::type_identity<T>) { return from.get<T>(); }

/// Numbers after their count.
template <class T>
requires std::is_arithmetic_v<T>
void pack(const std::vector<T>& values, ByteWriter& to) {
  to.put(std::uint64_t{values.size()});
  to.put_all(std::span(values));
}
/// Numbers after their count.
template <class T>
requires std::is_arithmetic_v<T> std::vector<T> unpack(ByteReader& from, std::type_identity<std::vector<T>>) {
  std::vector<T> values(from.get_count(sizeof(T)));
  from.get_all(std::span<T>(values));
  return values;
}

/// A text after its length.
inline void pack(const std::string& text, ByteWriter& to) {
  to.put(std::uint64_t{text.size()});
  to.put_all(std::span(text.data(), text.size()));
}
/// A text after its length.
inline std::string unpack(ByteReader& from, std::type_identity<std::string>) {
  std::string text(from.get_count(1), ' ');
  from.get_all(std::span(text.data(), text.size()));
  return text;
}

/// A type whose values can go to another process.
template <class T>
concept Packable = requires(const T& value, ByteWriter& to, ByteReader& from) {
  pack(value, to);
  { unpack(from, std::type_identity<T>{}) } -> std::same_as<T>;
};

/// Elements that are packed one by one, after their count.
template <class T>
requires(!std::is_arithmetic_v<T> && Packable<T>) void pack(const std::vector<T>& values, ByteWriter& to) {
  to.put(std::uint64_t{values.size()});
  for (const T& value : values) pack(value, to);
}
/// Elements that are packed one by one, after their count.
template <class T>
requires(!std::is_arithmetic_v<T> && Packable<T>) std::vector<T> unpack(ByteReader& from,
                                                                        std::type_identity<std::vector<T>>) {
  std::vector<T> values;
  for (std::size_t left = from.get_count(1); left > 0; --left) {
    values.push_back(unpack(from, std::type_identity<T>{}));
  }
  return values;
}

}  // namespace lockstep
