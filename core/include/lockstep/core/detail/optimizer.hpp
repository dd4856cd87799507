#pragma once

#include <cstddef>

namespace lockstep::detail {

/// Keeps the number in a register and makes the compiler forget how it was computed, so that it computes what follows
/// from the number anew instead of saving what it has. Generates no instruction; does nothing where the compiler has no
/// GNU assembly.
[[gnu::always_inline]] inline void hide_origin([[maybe_unused]] std::size_t& number) {
#ifdef __GNUC__
  asm("" : "+r"(number));
#endif
}

}  // namespace lockstep::detail
