#pragma once

#include <memory>

#include "lockstep/algorithms/bundle.hpp"

namespace lockstep {

/// A bundle that several hear at once, as on a bus. They share it, so that it is not copied for each of them, and
/// nobody changes it. It costs what the bundle costs.
class Announcement {
 public:
  explicit Announcement(Bundle bundle) : bundle_(std::make_shared<const Bundle>(std::move(bundle))) {}

  const Bundle& bundle() const { return *bundle_; }

  friend bool operator==(const Announcement& a, const Announcement& b) { return a.bundle() == b.bundle(); }

 private:
  std::shared_ptr<const Bundle> bundle_;
};

inline std::uint64_t words(const Announcement& announcement) { return words(announcement.bundle()); }

/// Inverts every bit of one word of every piece, as a hearer may keep only one of them; the others hear what was said.
inline void corrupt(Announcement& announcement) {
  Bundle bundle = announcement.bundle();
  for (Piece& piece : bundle.pieces) corrupt(piece.block);
  announcement = Announcement(std::move(bundle));
}

}  // namespace lockstep
