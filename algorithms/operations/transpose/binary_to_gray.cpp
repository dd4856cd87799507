#include "gray.hpp"

// From binary code to Gray code. Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes).
namespace lockstep {

extern const Method transpose_binary_to_gray_method = transpose::conversion_method<transpose::binary_to_gray>(
    "transpose/binary-to-gray", "two-dimensional, binary to Gray code",
    "rows and columns in binary code before, in Gray code afterwards (n even)");

}  // namespace lockstep
