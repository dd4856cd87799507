#pragma once

#include <memory>
#include <span>
#include <variant>

#include "application.hpp"
#include "gathering.hpp"
#include "operands/partials.hpp"

// Sums over all processors as parts of programs.
namespace lockstep::application {

/// A sum that all processors need, repeatedly: every processor has one number, and afterwards the sum of all, the
/// same to the last bit. The numbers are added in an order of ranks that the method fixes.
template <Payload T>
class Summation {
 public:
  Summation() = default;
  Summation(const Summation&) = delete;
  Summation& operator=(const Summation&) = delete;
  virtual ~Summation() = default;

  /// Sub-program that all processors start in cycle `start`. Records what all receive alike.
  virtual Process sum(Processor<T>& self, double& number, Cycle start, Notes& notes) = 0;
};

/// The methods of this kind; machines other than cubes have the last one. reduce/tree is followed by broadcast/sbt;
/// with an allgather, every processor adds.
inline constexpr std::string_view summation_methods[] = {"scan/cube", "reduce/tree", "allgather/adea",
                                                         "allgather/daisy-chain"};

/// Adds `times` sums by the method; returns the cycles of one.
Cycle add_summation(PredictedParts& parts, const MachineSpec& machine, const Settings& settings, std::uint64_t times);

using Partial = operands::Partial<Block>;
using AnySummation = std::variant<std::unique_ptr<Summation<Partial>>, std::unique_ptr<Summation<LabelledBlock>>,
                                  std::unique_ptr<Summation<Bundle>>>;

AnySummation make_summation(const RunRequest& request);

/// Bytes of a run with these sums: the machine and the sums' data.
std::uint64_t summation_bytes(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::application
