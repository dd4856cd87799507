#pragma once

#include <cstdint>
#include <memory>

#include "lockstep/core/detail/payload_operations.hpp"

namespace lockstep::model {

/// The messages' payload: one word, with every access recorded.
struct Parcel {
  detail::Owned<std::uint64_t> word;

  friend std::uint64_t words(const Parcel&) { return 1; }
};

/// Takes the word out of a received parcel.
inline std::uint64_t take_word(detail::Passed passed) {
  Parcel& parcel = *detail::Received<Parcel>(passed);
  const std::uint64_t word = parcel.word;
  std::destroy_at(&parcel);
  return word;
}

}  // namespace lockstep::model
