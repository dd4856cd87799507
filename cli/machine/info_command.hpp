#pragma once

#include <optional>
#include <string>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/partition.hpp"

namespace lockstep::cli::run {
class Together;
}

namespace lockstep::cli::machine {

/// What `lockstep info` was asked for.
struct InfoArguments {
  std::string machine;
  bool status = false;                  ///< the status of every processor instead of all that is known
  std::optional<std::string> embed;     ///< a guest, of whose embedding is told instead of the machine
  std::optional<unsigned> processes{};  ///< over which the machine would be divided
  std::optional<PartitionKind> partition{};
  std::optional<std::string> algorithm{};  ///< of which a run is predicted, in so many processes
  std::optional<double> message_time{};    ///< seconds that a message of such a run takes one thread
  Settings settings{};                     ///< its --words
  // A file or "-" each.
  std::optional<std::string> json;
  std::optional<std::string> node_link;
  std::optional<std::string> graphml;
  std::optional<std::string> dot;

  /// What a process is asked for that writes nothing.
  void forget_outputs() { json = node_link = graphml = dot = std::nullopt; }
};

/// `lockstep info`: what is known of a machine, what a run on it would need, and which methods it has; the machine as a
/// graph, or how another machine is embedded in it. Throws InputError, MachineSpecError and OutputError.
/// `together` are the processes that mpirun has started, between which the costs of the wire are measured; null: none.
int info_command(const InfoArguments& arguments, run::Together* together = nullptr);

}  // namespace lockstep::cli::machine
