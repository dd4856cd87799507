#pragma once

#include <optional>
#include <string>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/partition.hpp"

namespace lockstep::cli::run {
class ProcessGroup;
}

namespace lockstep::cli::machine {

/// The arguments of `lockstep info`.
struct InfoArguments {
  std::string machine;
  bool status = false;                  ///< show the status of every processor instead
  std::optional<std::string> embed;     ///< a guest whose embedding is shown instead
  std::optional<std::string> map{};     ///< the order or file that places its processors
  std::optional<unsigned> processes{};  ///< among which the machine would be divided
  std::optional<PartitionKind> partition{};
  std::optional<std::string> algorithm{};  ///< whose run in these processes is predicted
  std::optional<double> message_time{};    ///< seconds of one thread per message of such a run
  Settings settings{};                     ///< its --words
  // A file or "-" each.
  std::optional<std::string> json;
  std::optional<std::string> node_link;
  std::optional<std::string> graphml;
  std::optional<std::string> dot;

  /// Removes all outputs, for a process that writes nothing.
  void forget_outputs() { json = node_link = graphml = dot = std::nullopt; }
};

/// `lockstep info`: a machine's properties, the needs of a run and its methods; the machine as a graph, or the
/// embedding of another machine in it. Throws InputError, MachineSpecError and OutputError.
/// `group` are the processes that mpirun started, among which the costs of the wire are measured; null: none.
int info_command(const InfoArguments& arguments, run::ProcessGroup* group = nullptr);

}  // namespace lockstep::cli::machine
