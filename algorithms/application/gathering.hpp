#pragma once

#include <memory>
#include <span>
#include <variant>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/processor.hpp"

// Allgathers as parts of programs.
namespace lockstep::application {

/// An allgather that a program can repeat with blocks of its own; processors send what the catalogue's method has them
/// send.
template <Payload T>
class Gathering {
 public:
  Gathering() = default;
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;
  virtual ~Gathering() = default;

  /// Where the rank's own block is: gather() sends what has been written there; other places have words that differ
  /// from all others, so that an exchange of two shows.
  virtual std::span<Word> own(Rank rank) = 0;
  /// Sub-program that all processors start in cycle `start`.
  virtual Process gather(Processor<T>& self, Cycle start) = 0;
  /// The block of `source` that the rank holds afterwards.
  virtual std::span<const Word> block(Rank rank, Rank source) const = 0;
};

/// The methods of this kind. Machines other than cubes have the daisy chain.
inline constexpr std::string_view gathering_methods[] = {"allgather/adea", "allgather/daisy-chain", "allgather/tea1",
                                                         "allgather/tea2"};

// An application's entry for machines with the models that its default method is meant for there: on machines other
// than cubes, the daisy chain.
Method on_cubes(Method entry, Duplex strictest);
Method on_rings(Method entry);
Method on_switches(Method entry);

/// Records all words that the processor has received, padding included.
template <Payload T>
void hear(const Gathering<T>& gathering, const Processor<T>& self, WordDigest& heard) {
  for (Rank source = 0; source < self.processors(); ++source) heard.add(gathering.block(self.rank(), source));
}

using AnyGathering = std::variant<std::unique_ptr<Gathering<LabelledBlock>>, std::unique_ptr<Gathering<Bundle>>>;

/// The method with blocks of `words` words.
AnyGathering make_gathering(const RunRequest& request, const Method& method, std::uint64_t words);

}  // namespace lockstep::application
