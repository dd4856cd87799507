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

// Schedules as files, and their execution.

/// The version of the schedule document.
inline constexpr std::uint64_t schedule_schema = 1;

/// The JSON text of a schedule; machine and algorithm name its origin.
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
/// A step is the list of its moves: of a total exchange each block as [from, to, origin, destination], of other tasks
/// each message with its blocks, as pairs of an origin and a destination or, where they are for all, as origins.
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
///
/// For a machine with a graph, "graph" gives its digest (graph_digest(), in machines/graph.hpp) after "machine".
std::string schedule_text(const Schedule& schedule, const std::string& machine, const std::string& algorithm,
                          const std::string& graph = {});

/// Reads such a file for a machine of `processors` processors. Both forms may be used for every task; without an
/// operation it is a total exchange. Only "steps" is required, and "root" or "sources" (L: the few are the ranks below
/// 2^L) for operations that have them. There may be a "comment" of any kind; other members are refused. Throws
/// InputError, one line that names the file and the place: for text that is not JSON or of another form, and for
/// numbers that are no processors of the machine. validate() checks that the schedule does what it should.
Schedule read_schedule(const std::string& path, Rank processors);

/// The data that a report shows of a schedule in another program's format.
struct ForeignFormat {
  std::string format;                   ///< "MSCCL XML"
  std::optional<std::string> name;      ///< as in the file, if it names the schedule
  std::optional<std::uint32_t> chunks;  ///< into which the data of a collective operation is cut
  std::uint64_t steps = 0;              ///< of all processors
};

/// A schedule from a file that a run can carry out, in one of the forms that files have. Immutable.
class WrittenSource {
 public:
  virtual ~WrittenSource() = default;

  /// Its operation: one of the catalogue, or "replay".
  virtual std::string_view operation() const = 0;
  /// The number of processors.
  virtual Rank processors() const = 0;
  /// The method that carries it out as Settings::written_schedule; like an entry of the catalogue, but in no list.
  virtual const Method& method() const = 0;

  /// Whether its messages may hold several blocks, as Method::combines.
  virtual bool combines() const { return true; }
  /// As in Method, where it is described; likewise those below.
  virtual void resolve(const MachineSpec& machine, const Model& model, Settings& settings) const = 0;
  /// By default nothing is predicted.
  virtual Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) const;
  /// What no schedule can beat.
  virtual LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const = 0;
  /// Bytes that carry_out() keeps.
  virtual std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) const = 0;
  /// Runs it and verifies the data. An invalid one ends the run with RunError.
  virtual Outcome carry_out(const RunRequest& request) const = 0;

  /// The contents of its messages, from a run under that request if need be; throws InputError if it has no chunks.
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

/// Reads such a file, of whole blocks or in chunks; `text` is its content, and errors call it `name`. The machine's
/// processors matter only for a schedule of blocks. Throws InputError, one line.
WrittenSchedule read_written_schedule(const std::string& text, const std::string& name, Rank processors = 0);

/// Carries out Settings::written_schedule on any machine with links; like an entry of the catalogue, but in no list. A
/// schedule that validate() refuses ends the run with RunError (invalid_schedule), after its steps before the fault if
/// there is an observer. The operation is that of the schedule's task.
const Method& written_schedule_method(std::string_view operation);

}  // namespace lockstep
