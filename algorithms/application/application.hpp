#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/verification.hpp"

// What the applications share: whole programs that compute, and use a collective operation of the catalogue that
// --method chooses. Numbers are doubles, a word each.
namespace lockstep::application {

/// The methods that an application can use: those of them that the machine has, the first by default.
struct MethodParameter : Parameter {
  std::span<const std::string_view> choices;  ///< names in the catalogue, or `none`

  /// Fills in the default, and the operation's name where only the method's own is given. Throws InputError if it is no
  /// choice, refuses the machine, or is not meant for this port model; the error then lists the models it is for.
  void resolve(const MachineSpec& machine, const Model& model, Settings& settings) const;
};
/// A method that needs no collective.
inline constexpr std::string_view none = "none";

/// The entry of the method that the application uses; resolved settings.
const Method& chosen_method(const MachineSpec& machine, const Settings& settings);

/// Fills in --size, whose default is one per processor but from 8 to 256.
void resolve_size(const NumberParameter& parameter, const MachineSpec& machine, Settings& settings);

/// The entry with its defaults filled in: the operation's names, and that no bound is known.
Method with_defaults(Method own);

/// The counts of an application's parts, added up.
class PredictedParts {
 public:
  PredictedParts(const MachineSpec& machine, const Model& model) : machine_(machine), model_(model) {}

  /// `times` calls of a method of the catalogue on `words` words, one after the other, with these other settings.
  /// Returns the steps of one.
  Cycle add(const Method& method, std::uint64_t words, std::uint64_t times = 1, Settings settings = {});
  /// All of `parts`, `times` times.
  void add(const PredictedParts& parts, std::uint64_t times);
  /// Steps of the application's own: their number, the longest message of each, and all their messages and words.
  void add_steps(Wide steps, Wide longest, Wide messages, Wide words);
  /// Arithmetic: operations of the busiest processor, for which all others wait, and of all together.
  void compute(Wide most, Wide sum) {
    most_operations_ += most;
    operations_ += sum;
  }

  /// `what` describes the parts: "8 times allgather/adea".
  Prediction prediction(const std::string& what) const;

 private:
  const MachineSpec& machine_;
  const Model& model_;
  Wide steps_ = 0;
  Wide messages_ = 0;
  Wide words_ = 0;
  Wide longest_sum_ = 0;
  Wide most_operations_ = 0;
  Wide operations_ = 0;
  Wide scanned_blocks_ = 0;
  double time_ = 0;  // of communication, by the synchronous clock
};

/// A stretch of arithmetic of one processor, without co_await in it: charged to both modelled clocks at once, and timed
/// by the host's clock until the object is destroyed.
class Arithmetic {
 public:
  template <class Self>
  Arithmetic(Self& self, std::uint64_t operations, double& seconds) : seconds_(seconds) {
    self.compute(operations);
    start_ = std::chrono::steady_clock::now();
  }
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;
  ~Arithmetic() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

/// What one processor records beside its data.
struct Notes {
  double seconds = 0;  ///< of arithmetic, by the host's clock
  WordDigest heard;    ///< of the words that all processors must receive alike
};

inline Word as_word(double number) { return std::bit_cast<Word>(number); }
inline double as_number(Word word) { return std::bit_cast<double>(word); }
/// A number in [0, 1) for this place; it depends on the seed.
double generated_number(std::uint64_t seed, std::uint64_t row, std::uint64_t column);

using Doubles = std::vector<double>;

/// "rank 3 has as component 5 of the solution 0.25 instead of 0.5", if a number is off by more than the tolerance;
/// empty if all are right. `first` is the number of the first component.
std::string what_is_wrong(Rank rank, std::string_view what, std::span<const double> held,
                          std::span<const double> expected, double tolerance, std::uint64_t first = 0);

/// The digest of the process of rank 0, in every process.
WordDigest of_first(const Division& division, const WordDigest& heard_by_first);
/// The digest of what rank 0 has received, in every process.
template <class State>
WordDigest of_first(const RunRequest& request, const PerRank<State>& states) {
  const Division* const division = request.division;
  const WordDigest heard = is_here(division, 0) ? states[0].notes.heard : WordDigest{};
  return division == nullptr ? heard : of_first(*division, heard);
}
/// Compares what all must receive alike: "rank 3 has received other words than rank 0"; empty if they are the same.
std::string what_is_wrong(Rank rank, const WordDigest& heard, const WordDigest& first);

}  // namespace lockstep::application
