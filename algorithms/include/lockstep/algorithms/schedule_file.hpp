#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"

namespace lockstep {

struct MessageContents;

// Schedules as files, and what carries them out.

/// The version of what a schedule's document holds.
inline constexpr std::uint64_t schedule_schema = 1;

/// The JSON text of a schedule; machine and algorithm say where it is from.
///
///      {
///        "machine": "path:3",
///        "algorithm": "alltoall/factor",
///        "processors": 3,
///        "combined": false,
///        "steps": [
///          [[0,1,0,2],[1,2,1,2]],
///          [[0,1,0,1],[1,2,0,2]],
///          [[1,0,1,0],[2,1,2,0]],
///          [[1,0,2,0],[2,1,2,1]]
///        ]
///      }
///
/// A step is the list of what moves in it: of a total exchange each block as [from, to, origin, destination], of other
/// tasks each message with its blocks, as pairs of an origin and a destination or, where they are for all, as origins.
///
///      {
///        "machine": "hypercube:2",
///        "algorithm": "scatter/sbt",
///        "operation": "scatter",
///        "root": 0,
///        "processors": 4,
///        "steps": [
///          [{"from":0,"to":1,"blocks":[[0,1],[0,3]]}],
///          [{"from":0,"to":2,"blocks":[[0,2]]},{"from":1,"to":3,"blocks":[[0,3]]}]
///        ]
///      }
std::string schedule_text(const Schedule& schedule, const std::string& machine, const std::string& algorithm);

/// Reads such a file for a machine of so many processors. Both forms may be used for every task; without an operation
/// it is a total exchange. Only "steps" must be there, and "root" or "sources" (L: the few are the ranks below 2^L) of
/// operations that have them; other members than those above are ignored. Throws InputError, one line that names the
/// file and the place: what is not JSON or of another form, and numbers that are no processors of the machine. Whether
/// it does what it should is for validate() to say.
Schedule read_schedule(const std::string& path, Rank processors);

/// What a report says of a schedule in the format of another program.
struct ForeignFormat {
  std::string format;                   ///< "MSCCL XML"
  std::optional<std::string> name;      ///< as the file has it, if it names the schedule
  std::optional<std::uint32_t> chunks;  ///< in which the data of a collective operation is cut
  std::uint64_t steps = 0;              ///< of all processors
};

/// What a run can be told to carry out: a schedule from a file, in one of the forms that files have. Immutable.
class WrittenSource {
 public:
  virtual ~WrittenSource() = default;

  /// What it brings about: an operation of the catalogue, or "replay".
  virtual std::string_view operation() const = 0;
  /// The number of processors.
  virtual Rank processors() const = 0;
  /// What carries it out as Settings::written_schedule; like an entry of the catalogue, but in no list.
  virtual const Method& method() const = 0;

  /// What Method says of functions of these names.
  virtual void resolve(const MachineSpec& machine, const Model& model, Settings& settings) const = 0;
  /// Nothing is predicted unless it says so.
  virtual Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) const;
  /// What no schedule can beat.
  virtual LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const = 0;
  /// Bytes that carry_out() keeps.
  virtual std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) const = 0;
  /// Runs it and verifies the data. One that is wrong ends the run with RunError.
  virtual Outcome carry_out(const RunRequest& request) const = 0;

  /// What its messages hold, where a run under that request tells; throws InputError where it is no schedule of chunks.
  virtual MessageContents contents(const RunRequest& request) const;
  /// The other program's format, if it is in one.
  virtual std::optional<ForeignFormat> foreign_format() const { return std::nullopt; }
  /// Warnings for a report, a line each: of a run too, if one has ended.
  virtual std::vector<std::string> report_lines(const Outcome* ended) const;

 protected:
  WrittenSource() = default;
  WrittenSource(const WrittenSource&) = default;
  WrittenSource(WrittenSource&&) = default;
  WrittenSource& operator=(const WrittenSource&) = default;
  WrittenSource& operator=(WrittenSource&&) = default;
};

/// Reads such a file, of whole blocks or in chunks, of which `text` is all; `name` is what errors call it. How many
/// processors the machine has matters to one of blocks only. Throws InputError, one line.
WrittenSchedule read_written_schedule(const std::string& text, const std::string& name, Rank processors = 0);

/// Carries out Settings::written_schedule on any machine with links; like an entry of the catalogue, but in no list. A
/// schedule that validate() refuses ends the run with RunError (invalid_schedule), after its steps before the fault if
/// there is an observer. The operation is that of the schedule's task.
const Method& written_schedule_method(std::string_view operation);

}  // namespace lockstep
