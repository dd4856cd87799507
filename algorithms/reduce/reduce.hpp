#pragma once

#include <chrono>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operators.hpp"

// What the reduce methods share: their parameters, data and oracle. Before the run rank r holds a value a_r of --words
// words; afterwards the root must hold a_0 (+) a_1 (+) ... (+) a_{N-1} for the --operator (+), element by element.
namespace lockstep::reduce {

inline constexpr Parameter words_parameter{
    "words", "words of one value, taken element by element; matrix2 has elements of 4 words, concat of 1, a string",
    "one element, or what --input has for each rank"};
inline constexpr Parameter root_parameter{"root", "rank that holds the result in the end", "0"};
inline constexpr Parameter operator_parameter{
    "operator",
    "sum, min, max; and, or, xor of the words' bits; matrix2, products of 2x2 matrices; concat, strings appended",
    "sum"};
inline constexpr Parameter type_parameter{"type", "what words are, int64 (modulo 2^64) or double; not for concat",
                                          "int64, or what --input has"};
inline constexpr Parameter input_parameter{
    "input", "file with the values, rank by rank: numbers as text, or for concat one string a line",
    "generated from --seed"};
inline constexpr Parameter output_parameter{"output", "file for the result, one number or string a line", "none"};

/// Whether the operator is concat, whose values are strings.
bool is_concat(const Settings& settings);

/// Defaults and ranges of all parameters, and whether --input can be read and --output written.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// Bytes of the values, the file with them and the oracle's copy.
std::uint64_t value_bytes(const MachineSpec& machine, const Settings& settings);

/// The values of all ranks where they are numbers, the operator on them, and the oracle.
class NumberValues {
 public:
  using Value = Block;

  /// Reads the input file. Throws InputError if that cannot be done (any more).
  explicit NumberValues(const RunRequest& request);

  /// The value that the rank holds before the run.
  Block value(Rank rank) const;
  void combine(Block& lower, const Block& higher) const { apply_(lower, higher); }
  /// Compares with the values combined one after the other, in the order of their ranks: exactly, except for sums and
  /// products of doubles from a file, whose rounding depends on the order. Those may be off by 2^-51 times N times the
  /// same sum or product of absolute values; products also by 2^-1071 times N times the largest absolute values of a
  /// product of the first ranks and of one of the last, since what is too small for a double on the way, in one order
  /// and not in another, is lost. Empty if the result is right.
  std::string what_is_wrong(const Block& result) const;
  void add_to(Digest& digest, const Block& result) const;
  void write(const std::string& path, const Block& result) const;

 private:
  /// How far each double of the result may be off, at least 0, since a zero may have either sign; empty where every bit
  /// must be right.
  Block tolerance() const;

  const Settings& settings_;
  Rank ranks_;
  NumberType type_;
  const Operator& operator_;
  Operator::Apply apply_;
  std::vector<Word> input_;  // of all ranks; empty where values are generated
};

/// The same for concat, whose values are strings.
class StringValues {
 public:
  using Value = Strings;

  explicit StringValues(const RunRequest& request);

  Strings value(Rank rank) const;
  void combine(Strings& lower, const Strings& higher) const { concatenate(lower, higher); }
  std::string what_is_wrong(const Strings& result) const;
  void add_to(Digest& digest, const Strings& result) const;
  void write(const std::string& path, const Strings& result) const;

 private:
  const Settings& settings_;
  Rank ranks_;
  std::vector<std::string> input_;
};

/// Judges what the root holds; fills in wrong, data_digest and verify_seconds. If it is right, writes the output.
template <class Values>
void finish(const RunRequest& request, const Values& values, const typename Values::Value& result, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  Digest digest;
  values.add_to(digest, result);
  outcome.data_digest = digest.value();
  outcome.wrong = values.what_is_wrong(result);
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (request.settings.output && outcome.wrong.empty()) values.write(*request.settings.output, result);
}

}  // namespace lockstep::reduce
