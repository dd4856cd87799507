#include "gray.hpp"

// From Gray code to binary code. Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes).
namespace lockstep {

extern const Method transpose_gray_to_binary_method = transpose::conversion_method<transpose::gray_to_binary>(
    "transpose/gray-to-binary", "two-dimensional, Gray to binary code",
    "rows and columns in Gray code before, in binary code afterwards (n even)");

}  // namespace lockstep
