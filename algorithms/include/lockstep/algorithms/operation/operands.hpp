#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/core/processor.hpp"

// What the methods that combine values share: their parameters, data, and oracle. Before the run rank r holds a value
// a_r of --words words; the --operator (+) combines them element by element.
namespace lockstep::operands {

inline constexpr NumberParameter words_parameter{
    {"words", "words of one value, taken element by element; matrix2 has elements of 4 words, concat of 1, a string",
     "one element, or what --input has for each rank"},
    &Settings::words};

/// The name of one of operators().
struct OperatorParameter : Parameter {
  /// The operator, by default the first. Throws InputError: the names, and the nearest one.
  const Operator& resolve(Settings& settings) const;
};
inline constexpr OperatorParameter operator_parameter{
    {"operator",
     "sum, min, max; and, or, xor of the words' bits; matrix2, products of 2x2 matrices; concat, strings appended",
     "sum"}};
inline constexpr Parameter type_parameter{"type", "what words are, int64 (modulo 2^64) or double; not for concat",
                                          "int64, or what --input has"};
inline constexpr Parameter input_parameter{
    "input", "file with the values, rank by rank: numbers as text, or for concat one string a line",
    "generated from --seed"};

/// Whether the operator is concat, whose values are strings.
bool is_concat(const Settings& settings);

/// Defaults and ranges of these parameters, and whether --input can be read and --output written.
void resolve(const MachineSpec& machine, Settings& settings);

/// For methods that combine in another order than that of the ranks. Throws InputError, naming the operator, if it does
/// not commute.
void require_commutative(Settings& settings);

/// Whether a wrong operand can leave a result unchanged: where the operator absorbs operands, and where sums of doubles
/// from a file are compared with a tolerance. Then what processors receive is judged beside what they hold in the end.
bool may_absorb(const Settings& settings);

/// How many words of the results of the operation (`reduce`, `scan`, ..) exceed 64 bits and are taken modulo 2^64: sums
/// and products of whole numbers from --input. Words that several processors have alike count once.
std::uint64_t wrapped_words(const Settings& settings, std::string_view operation);

/// Bytes of the text of all strings of concat.
std::uint64_t text_bytes(const MachineSpec& machine, const Settings& settings);
/// Bytes of the values, the file with them and the oracle's copy.
std::uint64_t value_bytes(const MachineSpec& machine, const Settings& settings);

/// The values of all ranks where they are numbers, and the operator on them.
///
/// Generated values make every wrong message change a result. Those of min are positive, those of max negative, at most
/// 1000 from 0: an operand's word with all its bits inverted is less, or more, than any. The extreme of each word is
/// that of another rank, as far as there are words. Half of the 52 low bits of operands of `and` and `or` (of doubles,
/// of 1 or more and less than 2, the fractions) are the same in all operands, 1 under `and`, 0 under `or`, and remain
/// so in every result, which changes with any of them; each of the others has that value in all operands but one, which
/// so decides the bit: another rank's operand for each, as far as there are bits. No result is 0 or has all bits. Under
/// the other operators every operand affects every result: sum, xor and concat lose nothing; numbers are in
/// -1000..1000, and matrices are signed permutations.
class NumberValues {
 public:
  /// the value of a rank
  using Value = Block;
  static constexpr std::string_view noun = "words";  ///< what its length counts, for messages
  class Oracle;

  /// Reads the input file. Throws InputError if it cannot be read (any more).
  explicit NumberValues(const RunRequest& request);

  /// How many ranks hold values.
  Rank ranks() const { return ranks_; }
  /// Whether this process runs the rank, and so has its result.
  bool is_here(Rank rank) const { return lockstep::is_here(division_, rank); }
  /// The value that the rank holds before the run.
  Block value(Rank rank) const;
  /// lower := lower (+) higher.
  void combine(Block& lower, const Block& higher) const { apply_(lower, higher); }
  /// Arithmetic operations of combining a value with another: one a word, whatever the operator.
  std::uint64_t operations(const Block& value) const { return value.size(); }
  /// See operands::may_absorb().
  bool may_absorb() const { return may_absorb_; }
  /// A digest of a result.
  std::uint64_t digest(const Block& result) const { return digest_of(result.words()); }
  /// Writes the results one after the other.
  void write(const std::string& path, std::span<const Block> results) const;

 private:
  /// Word `index` of the value generated for the rank.
  Word generated(Rank rank, std::uint64_t index) const;
  /// Bits of a fraction, of those in the word of that index, that the rank's operand decides.
  Word decided_bits(Rank rank, std::uint64_t index) const;
  /// Whether results depend a little on the order in which values are combined.
  bool is_rounded() const;

  const Settings& settings_;
  const Division* division_;
  Rank ranks_;
  NumberType type_;
  const Operator& operator_;
  Operator::Apply apply_;
  bool may_absorb_;
  Rank first_decider_;       // the rank that decides the first extreme, or bit; the others follow in order
  std::vector<Word> input_;  // of all ranks; empty where values are generated
};

/// The values of consecutive ranks, combined one after the other, with which results are compared: exactly, except for
/// sums and products of doubles from a file, whose rounding depends on the order. Those may be off by 2^-51 times N
/// times the same sum or product of absolute values; products also by 2^-1071 times N times the largest absolute values
/// of a product of the first ranks and of those of products of the last, since an intermediate result too small for a
/// double, in one order and not in another, is lost. All this is computed in long doubles: a result is infinite only if
/// it exceeds the largest double whatever the order.
class NumberValues::Oracle {
 public:
  /// The first value alone.
  Oracle(const NumberValues& values, Block first);
  /// Adds the next rank's value.
  void extend(const Block& value);

  /// The values so far, combined.
  const Block& expected() const { return expected_; }
  /// How many words of the result are right before the first that is not.
  std::uint64_t right(const Block& result) const;
  /// Why the word of that index may be wrong although no message was: empty, or a clause that begins with "; ".
  std::string remark(std::uint64_t index) const;

 private:
  void note_largest_part();
  bool is_right(Word found, std::uint64_t index) const;
  /// The tolerance for that word of the result.
  long double tolerance(std::uint64_t index) const;

  const NumberValues& values_;
  Block expected_;
  // Where results are rounded: the result, and that of absolute values; for products also, element by element, the
  // largest word of those from the first rank to any, and word by word the largest of those from any rank to the last,
  // at least 1 and those of a unit matrix, which stand for an empty product.
  std::vector<long double> exact_;
  std::vector<long double> absolute_;
  std::vector<long double> largest_head_;
  std::vector<long double> largest_tails_;
  std::vector<long double> largest_part_;  // of products: the largest word of any ranks in a row, element by element
};

/// The same for concat, whose values are strings.
class StringValues {
 public:
  /// the value of a rank
  using Value = Strings;
  static constexpr std::string_view noun = "strings";  ///< what its length counts, for messages
  class Oracle;

  /// Reads the input file. Throws InputError if it cannot be read (any more).
  explicit StringValues(const RunRequest& request);

  /// How many ranks hold values.
  Rank ranks() const { return ranks_; }
  /// Whether this process runs the rank, and so has its result.
  bool is_here(Rank rank) const { return lockstep::is_here(division_, rank); }
  /// The value that the rank holds before the run.
  Strings value(Rank rank) const;
  /// Appends the strings of `higher`.
  void combine(Strings& lower, const Strings& higher) const { concatenate(lower, higher); }
  /// Appending strings is no arithmetic.
  std::uint64_t operations(const Strings& /*value*/) const { return 0; }
  /// No string is lost.
  bool may_absorb() const { return false; }
  /// A digest of a result.
  std::uint64_t digest(const Strings& result) const;
  /// Writes the results one after the other.
  void write(const std::string& path, std::span<const Strings> results) const;

 private:
  const Settings& settings_;
  const Division* division_;
  Rank ranks_;
  std::vector<std::string> input_;
};

/// The strings of consecutive ranks, appended one after the other, with which results are compared exactly.
class StringValues::Oracle {
 public:
  /// The first value alone.
  Oracle(const StringValues& values, Strings first) : values_(values), expected_(std::move(first)) {}
  /// Adds the next rank's value.
  void extend(const Strings& value) { values_.combine(expected_, value); }

  /// The values so far, combined.
  const Strings& expected() const { return expected_; }
  /// How many strings of the result are right before the first that is not.
  std::uint64_t right(const Strings& result) const;
  /// Empty, as strings are compared exactly.
  std::string remark(std::uint64_t /*index*/) const { return {}; }

 private:
  const StringValues& values_;
  Strings expected_;
};

/// lower := lower (+) higher within a program, which is charged the arithmetic (Processor::compute()).
template <class T, class Values>
void combine(Processor<T>& self, const Values& values, typename Values::Value& lower,
             const typename Values::Value& higher) {
  self.compute(values.operations(higher));
  values.combine(lower, higher);
}

/// Empty if the result is that of the oracle; else "a result of 2 words of 2, the first 1 right".
template <class Oracle, class Value>
std::string what_is_wrong(const Oracle& oracle, const Value& result, std::string_view noun) {
  const std::uint64_t right = oracle.right(result);
  if (right == words(result) && right == words(oracle.expected())) return {};
  return "a result of " + std::to_string(words(result)) + " " + std::string(noun) + " of " +
         std::to_string(words(oracle.expected())) + ", the first " + std::to_string(right) + " right" +
         oracle.remark(right);
}

// What your own entries share, whose values are numbers.

/// resolve(), which refuses concat.
void resolve_own(const MachineSpec& machine, const Model& model, Settings& settings);
/// Bytes of the machine, of two values a processor, and of the oracle.
std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings);
/// The values of all ranks before the run.
PerRank<Block> initial_values(const RunRequest& request, const NumberValues& values);
/// The same as what_is_wrong(), for the result that the rank holds.
std::string what_is_wrong_at(Rank rank, const NumberValues::Oracle& oracle, const Block& result);

}  // namespace lockstep::operands
