#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/task.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

// Schedules as values: sender, receiver and blocks of every step. What a node receives in a step it can send from the
// next step on. Steps and nodes are numbered from 0.

/// The messages of one node in one step.
struct Turn {
  Move sends;     ///< its own message, if there is one
  Move receives;  ///< the message that it receives, if there is one
};

/// A total exchange among nodes 0 .. nodes()-1 (dimakopoulos.md, Conventions), with the messages of any node in any
/// step: every node has a message for every other node, and in a step it sends at most one message and receives at most
/// one. Immutable, so that every thread may read it.
class TurnSchedule {
 public:
  virtual ~TurnSchedule() = default;

  /// The number of nodes.
  virtual Rank nodes() const = 0;
  /// The number of steps.
  virtual std::uint64_t steps() const = 0;
  /// The node's messages in the step; both must exist.
  virtual Turn turn(std::uint64_t step, Rank node) const = 0;
  /// All moves of the step, by ascending sender. Costs time in proportion to the nodes.
  virtual std::vector<Move> moves(std::uint64_t step) const;
};

/// The moves of each step of a schedule.
using MoveSteps = std::vector<std::vector<Move>>;

/// A schedule of any task for any port model, step by step.
struct Schedule {
  Rank nodes = 0;   ///< number of nodes
  MoveSteps steps;  ///< the moves of each step
  /// Whether all blocks that cross one link in one step form one message.
  bool combined = false;
  Task task{};  ///< the required result
};

/// Ring, node i beside i +- 1 (dimakopoulos.md, Rings): floor(m^2/4) steps, which is optimal. m >= 1.
std::shared_ptr<const TurnSchedule> ring_schedule(Rank m);
/// Complete graph (dimakopoulos.md, Complete graphs): m - 1 steps, which is optimal. m >= 1.
std::shared_ptr<const TurnSchedule> complete_schedule(Rank m);
/// Linear array (dimakopoulos.md, Paths): ceil(m^2/2) - 1 steps, which is optimal; the exchange of dimakopoulos.md, Two
/// nodes, for two nodes. m >= 1.
std::shared_ptr<const TurnSchedule> path_schedule(Rank m);
/// Any Cayley graph (dimakopoulos.md, Cayley graphs), of one of cayley_families(): as many steps as the average status,
/// which is optimal; in every step every node sends and receives. A turn costs time in proportion to the diameter.
std::shared_ptr<const TurnSchedule> cayley_schedule(const MachineSpec& machine);
/// Any connected graph, by ports (dimakopoulos.md, Greedy): in a step those offers to bring a message nearer to its
/// destination are accepted whose ports are still free, in the order of the transit load of sender and receiver
/// together, the highest first; then of the remaining distance, the farthest first; then of the numbers of sender and
/// receiver. The transit load of a node is the traffic through it if messages divide evenly among all shortest paths.
/// Every message takes a shortest path; no bound but S_G on the steps is known. Needs some 20 nodes^2 bytes and 2 links
/// * nodes bits of memory besides the moves, and in every step time in proportion to links * nodes / 64.
/// With all ports every link takes a message in every step, the farthest first, those of equal distance from the
/// sender's number on.
MoveSteps greedy_steps(const Topology& topology, bool all_ports = false);
/// Any schedule, given as its list of steps. It is only stored; validate() checks it.
std::shared_ptr<const TurnSchedule> listed_schedule(Rank nodes, MoveSteps steps);

/// One round of A2 as one node sees it: the node's copy of one factor runs the schedule of that factor once. The
/// copy's message from i to l carries the product's message from i + origin_shift to l + destination_shift, where i
/// and l are nodes of the copy (shifts are modulo 2^32, so they may be negative).
class Round {
 public:
  std::uint64_t begin = 0;     ///< the first step
  std::uint64_t end = 0;       ///< the step after the last
  Rank origin_shift = 0;       ///< from a node of the copy to the message's origin
  Rank destination_shift = 0;  ///< from a node of the copy to the message's destination
  std::size_t factor = 0;      ///< which of the product's factors, from 0

  /// The node's coordinate in the factor; the node must be of the same copy.
  Rank coordinate(Rank of_node) const { return (of_node - first_) / stride_; }
  /// The node's messages in a step of this round.
  Turn turn(std::uint64_t step) const {
    const Turn inner = schedule_->turn(step - begin, coordinate_);
    return {lift(inner.sends), lift(inner.receives)};
  }
  /// Whether the sender held the message when the round began.
  bool starts_at_sender(const Move& move) const { return move.origin == move.from + origin_shift; }
  /// Whether the receiver keeps the message until the round ends.
  bool ends_at_receiver(const Move& move) const { return move.destination == move.to + destination_shift; }

 private:
  friend class ProductSchedule;

  Move lift(const Move& move) const {
    if (!move) return {};
    return {node(move.from), node(move.to), node(move.origin) + origin_shift,
            node(move.destination) + destination_shift};
  }
  Rank node(Rank coordinate) const { return first_ + coordinate * stride_; }

  const TurnSchedule* schedule_ = nullptr;  // the factor's
  Rank coordinate_ = 0;
  Rank first_ = 0;  // the node of the copy whose coordinate is 0
  Rank stride_ = 1;
};

/// A2 of Dimakopoulos & Dimopoulos (dimakopoulos.md, Products) on a product of any factors, first factor most
/// significant, folded from the left and lifted on demand: only the factors' schedules are kept. n sum T_i/n_i steps
/// for factors of n_i nodes and T_i steps; factors of one node contribute nothing.
class ProductSchedule : public TurnSchedule {
 public:
  /// Throws std::invalid_argument if the product has more than most_processors nodes.
  explicit ProductSchedule(const std::vector<std::shared_ptr<const TurnSchedule>>& factors);

  /// The product of the factors' nodes.
  Rank nodes() const override { return nodes_; }
  /// The number of steps.
  std::uint64_t steps() const override { return steps_; }
  Turn turn(std::uint64_t step, Rank node) const override { return round(step, node).turn(step); }
  /// The most nodes of one factor; 1 if there is no factor.
  Rank longest_factor() const;
  /// The round that the step belongs to.
  Round round(std::uint64_t step, Rank node) const;

 private:
  struct Factor {
    std::shared_ptr<const TurnSchedule> schedule;
    std::size_t index;            // among the factors given
    Rank stride;                  // nodes of the product of the factors after this one
    Rank earlier_nodes;           // nodes of the product of the factors before this one
    std::uint64_t earlier_steps;  // steps of that product
  };

  std::vector<Factor> factors_;
  Rank nodes_ = 1;
  std::uint64_t steps_ = 0;
};

/// The product of the schedules that alltoall/product chooses for the machine's indivisible dimensions: for rings,
/// paths, complete graphs and two-node arrays their own, for other Cayley graphs that of dimakopoulos.md, Cayley
/// graphs, else a greedy one.
ProductSchedule total_exchange_schedule(const MachineSpec& machine);

/// An error in a schedule. what() is one line that names the step, the processor and the messages.
class ScheduleError : public std::runtime_error {
 public:
  /// `text` is returned by what(); the rest are its coordinates.
  ScheduleError(std::uint64_t step, Rank node, const std::string& text, std::vector<Port> ports = {})
      : std::runtime_error(text), step_(step), node_(node), ports_(std::move(ports)) {}

  /// The step of the error; steps() for a message that does not end where it should.
  std::uint64_t step() const { return step_; }
  /// The processor concerned; no_rank if there is none.
  Rank node() const { return node_; }
  /// Its ports concerned.
  const std::vector<Port>& ports() const { return ports_; }

 private:
  std::uint64_t step_;
  Rank node_;
  std::vector<Port> ports_;
};

/// Runs the schedule sequentially on the topology. Throws ScheduleError at the first step that is empty, in which a
/// node sends or receives two messages, or a message goes over a link that does not exist or is sent by a node that
/// does not hold it, or turn() and moves() differ; or if a message does not end at its destination. Keeps nodes^2
/// ranks.
void validate(const TurnSchedule& schedule, const Topology& topology);

/// The same for a schedule of any task, under the rules of a model: with all ports a node may send and receive over
/// several links in a step, but one message per direction; with multicast the same message over several links counts as
/// one; under one-strict a node sends and receives on one link only; and a half-duplex link or processor does one thing
/// in a step. Keeps a rank for every block of the task, and a bit for every processor and block that is for all.
void validate(const Schedule& schedule, const Topology& topology, const Model& model);

}  // namespace lockstep
