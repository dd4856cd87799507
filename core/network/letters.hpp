#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/detail/payload_operations.hpp"

namespace lockstep::detail {

/// An array of payloads with their times of arrival; its owner knows which are present.
class Letters {
 public:
  Letters(std::size_t count, const PayloadOperations& payload)
      : payload_(&payload), stride_(stride(payload)), memory_(count * stride_) {}

  static std::uint64_t bytes(std::uint64_t count, const PayloadOperations& payload) { return count * stride(payload); }

  void* payload(std::size_t place) { return memory_.data() + place * stride_; }
  double& arrival(std::size_t place) {
    return *reinterpret_cast<double*>(memory_.data() + (place + 1) * stride_ - sizeof(double));
  }
  void put(std::size_t place, void* from, double arrival_time) {
    payload_->move(payload(place), from);
    arrival(place) = arrival_time;
  }
  void destroy(std::size_t place) {
    if (payload_->destroy != nullptr) payload_->destroy(payload(place));
  }

 private:
  static std::size_t stride(const PayloadOperations& payload) {
    const std::size_t alignment = std::max(payload.alignment, alignof(double));
    return (payload.bytes + sizeof(double) + alignment - 1) / alignment * alignment;
  }

  const PayloadOperations* payload_;
  std::size_t stride_;
  LargeArray<std::byte> memory_;
};

}  // namespace lockstep::detail
