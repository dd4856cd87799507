#pragma once

#include <stdexcept>

namespace lockstep {

/// A request that cannot be met; what() is one line: what is wrong and what is allowed.
class InputError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace lockstep
