#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

struct RunRequest;

/// A predicted count and its formula.
struct Count {
  std::uint64_t value = 0;  ///< what is predicted
  bool exact = true;        ///< if false, an upper bound
  std::string formula;      ///< in words for the user: "n = 4"
};

/// A modelled time, in the unit of beta and tau, and its formula.
struct ModelledTime {
  double value = 0;     ///< in units of beta and tau
  std::string formula;  ///< in words for the user
  bool exact = true;    ///< if false, an upper bound; unused in a closed form or a lower bound
};

/// The counts of a run by docs/algorithms; empty where that gives none.
struct Prediction {
  std::optional<Count> steps{};        ///< cycles in which a message moves
  std::optional<Count> messages{};     ///< link traversals
  std::optional<Count> words{};        ///< over all messages
  std::optional<Count> longest_sum{};  ///< sum over the cycles of the longest message, in words
  /// The length of every message, where all are equal; then a synchronous run takes
  /// steps * (startups * beta + words * tau).
  std::optional<std::uint64_t> message_words{};
  /// Start-ups of the longest message of every step, summed: the steps, if packets are of any length. Given where a
  /// message is one block, so that the longest is the costliest, and nothing is copied.
  std::optional<std::uint64_t> longest_startups{};
  /// The most operations of a processor in every cycle, summed: for these the synchronous clock takes --flop each.
  /// Given where operations are predicted, except in a prediction that has its own synchronous time.
  std::optional<std::uint64_t> most_operations{};
  std::optional<Count> startups{};        ///< of all processors
  std::optional<Count> copied_words{};    ///< by all processors
  std::optional<Count> operations{};      ///< of all processors
  std::optional<Count> scanned_blocks{};  ///< blocks examined, by all processors
  /// The synchronous clock's time, where it does not follow from the counts: each block has a start-up, or is copied.
  std::optional<ModelledTime> synchronous{};
  /// The asynchronous clock's time, or a bound on it: where processors keep step, or the packets of a path are equal.
  std::optional<ModelledTime> asynchronous{};
  std::optional<ModelledTime> closed_form{};  ///< by the paper's closed form, which may be approximate
};

/// The synchronous clock's time: the method's own, else from the counts if they are exact and messages are stored
/// and forwarded: every step takes as long as its longest message. Empty if it does not follow from them.
std::optional<ModelledTime> synchronous_time(const Prediction& prediction, const CostModel& cost);

/// What no schedule of a problem can beat (bounds.hpp); empty where no bound is known.
struct LowerBound {
  std::optional<std::uint64_t> steps{};        ///< cycles in which a message moves
  std::optional<std::uint64_t> longest_sum{};  ///< sum over the cycles of the longest message, in words
  std::optional<ModelledTime> time{};          ///< by the synchronous clock
  std::string steps_argument{};                ///< why, in words for the user: "growth to 8 processors, one port"
  std::string longest_sum_argument{};          ///< why the longest sum, in words for the user
};

/// A count of a run beside those that all methods share.
struct Measure {
  std::string_view name;    ///< "longest_queue"
  std::uint64_t value = 0;  ///< the count
};

/// The results of a run.
struct Outcome {
  Report report;                  ///< counts and times that all methods share
  std::vector<Measure> measures;  ///< of this method, deterministic as all counts
  /// The first error that the oracle found, with its coordinates; empty when all data is right.
  std::string wrong;
  std::uint64_t wrong_place = 0;  ///< the lowest place with an error, where there is one
  std::uint64_t data_digest = 0;  ///< of the data that all processors hold afterwards
  double verify_seconds = 0;      ///< of the host, comparing with the oracle
  double arithmetic_seconds = 0;  ///< of the host, in the arithmetic of all processors together
};

/// A catalogue entry: all that lists, help texts, tests and the command need of one method. An entry can leave out what
/// the methods of an operation have in common, if the operation fills it in (scatter::with_defaults).
struct Method {
  std::string_view name{};  ///< "operation/method"
  /// The papers' names for it, e.g. "SMG"; of all entries of the same name.
  std::vector<std::string_view> aliases{};
  std::string_view operation{};  ///< MPI's name
  std::string_view known_as{};   ///< the paper's name for the operation
  /// Its mapping of the data, where methods of the operation differ in that: those with the same mapping turn equal
  /// data into equal data.
  std::string_view mapping{};
  std::vector<std::string_view> families{};  ///< machines on which it runs, "hypercube"
  std::string_view source{};                 ///< paper, section
  std::string_view summary{};                ///< what it does, in a line
  std::vector<Parameter> parameters{};       ///< its parameters beside the seed
  Model defaults{};                          ///< those of its section: one port, unless it states others
  std::vector<PortModel> port_models{};      ///< in which its schedule is meant to run
  /// The most restrictive form under which it is legal with all its parameters (an application: with its default
  /// method), in all its port models and on all its machines but rings of two, where both ways round are one link. Less
  /// restrictive ones are legal too.
  Duplex strictest_duplex = Duplex::full;
  /// Its messages know their paths (see HasJourney), so that --switching and --startup make a difference.
  bool knows_paths = false;
  /// Its messages may hold several blocks of a total exchange. False where its problem is that of messages of one block
  /// each, which has bounds of its own.
  bool combines = true;
  /// Its run depends on beta, tau and the other costs beyond its resolved parameters, in messages, data or measures: it
  /// is not made once for several costs.
  bool reads_costs = false;

  /// Fills in the defaults, which may depend on the costs, and checks the ranges; throws InputError.
  void (*resolve)(const MachineSpec&, const Model&, Settings&) = nullptr;
  /// What a run will count, by formula; the settings are resolved.
  Prediction (*predict)(const MachineSpec&, const Model&, const Settings&) = nullptr;
  /// What is proven about an operation that is no collective, and about a written schedule. The settings are resolved.
  LowerBound (*proven)(const MachineSpec&, const Model&, const Settings&) = nullptr;
  /// An estimate of the bytes that a run takes at its peak, meant to be within 1.5 times: the machine with the channels
  /// that carry messages, data (once where it is shared) and plans.
  std::uint64_t (*bytes)(const MachineSpec&, const Model&, const Settings&) = nullptr;
  /// Generates the input, runs the program on every processor, compares with the oracle.
  /// Throws what Machine::run throws.
  Outcome (*run)(const RunRequest&) = nullptr;
};

/// The entry, with what `shared` has wherever its own texts and lists are empty and its functions null.
Method filled_in(Method own, const Method& shared);

/// All methods, by name. One name can have several entries, of different machine families.
const std::vector<const Method*>& catalogue();

/// Adds your own method to the catalogue, before anything is looked up there. What its entry leaves out is filled in:
/// the operation is the name's first part, nothing is predicted, no bound is known, it takes no parameters and runs in
/// all port models. Throws std::invalid_argument unless the name is OPERATION/METHOD and new on these families, there
/// is a family, and run is set.
void add_method(Method method);
/// The methods that were added, in that order.
std::vector<const Method*> added_methods();

/// "sbt" of "broadcast/sbt".
std::string_view own_name(const Method& method);

/// Whether two names are the same, ignoring case.
bool is_same_name(std::string_view one, std::string_view other);

/// Whether that is the method's name or one of its aliases, ignoring case.
bool is_called(const Method& method, std::string_view name);

/// Whether the method may charge arithmetic, so that --flop makes a difference: reductions, scans, applications,
/// replayed programs, and your own.
bool may_compute(const Method& method);

/// Whether the method runs on that machine family.
bool is_for(const Method& method, std::string_view family);

/// The method of that name on that machine family. Throws InputError: the nearest name, or the families it is for.
const Method& find_method(std::string_view name, std::string_view family);

/// The forms of --duplex under which the method is legal, full duplex first: see strictest_duplex.
std::vector<Duplex> duplex_forms(const Method& method);

/// The count, unless it passes 64 bits.
std::optional<Count> exact_count(Wide value, std::string formula);

/// The value, or the largest 64-bit number if it is more: the result of bytes() of methods that could need more.
std::uint64_t saturated(Wide value);

}  // namespace lockstep
