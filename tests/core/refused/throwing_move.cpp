#include "lockstep/core/machine.hpp"

// A payload whose move constructor may throw.
struct Careless {
  Careless() = default;
  Careless(Careless&&) noexcept(false) {}
  Careless& operator=(Careless&&) = default;
};
std::uint64_t words(const Careless&) { return 1; }
using Refused = decltype(lockstep::Machine<Careless>::bytes(1, 1, lockstep::PortModel::one));
