#pragma once

#include <cstdint>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/tree_schedule.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep::tree {

/// The order in which a node that may send one message a step serves its children.
enum class ChildOrder {
  longest_first,  ///< the child whose subtree takes longest first: the fastest for the tree
  cross_first     ///< the other building block first, then the inner child of the deeper subtree, as in the thesis
};

/// The double-rooted tree of the v-cube, each node serving its deeper side first, which is longest first. mukherjee.md,
/// Broadcast, cube.
TreeSchedule drbt_schedule_on_cube(Port v);

/// The broadcast tree of RH(k,n) (mukherjee.md, Entry and exit, Broadcast): over the layers from subblock 0 of block 0
/// (stage 1), and in each layer over the building blocks, whose cube carries the double-rooted tree of D dimensions;
/// inside a block over its subblocks from the node of entry, again by a double-rooted tree (stage 2). `machine` is the
/// topology of RH(k,n).
TreeSchedule drbt_schedule(const ReducedHypercube& rh, const Topology& machine, ChildOrder order);

/// One of these, for a hypercube or reduced hypercube and its topology; a cube has one order only.
TreeSchedule drbt_schedule(const MachineSpec& machine, const Topology& topology, ChildOrder order);

/// T(n): steps of stage 2 where a node serves all its children at once (mukherjee.md, Broadcast). n is at most 4.
std::uint64_t stage_2_steps(unsigned n);

/// Steps of a broadcast over the schedule of RH(k,n), where a node serves all its children at once or one a step
/// (mukherjee.md, Broadcast).
Count drbt_steps(const ReducedHypercube& rh, bool at_once, ChildOrder order);

/// The same on a hypercube or reduced hypercube.
Count drbt_steps(const MachineSpec& machine, bool at_once, ChildOrder order);

/// Steps between packets that go down or up the tree (mukherjee.md, Packets): 1, or 2 where processors take turns, if a
/// node serves all its children at once; else the most children of a node, or its most neighbours in the tree where a
/// processor cannot receive a packet while it sends another on.
std::uint64_t drbt_interval(const MachineSpec& machine, const Model& model, bool at_once);

/// The counts of --packets down or up a tree, one after the other at that interval: `steps` are those of one.
Prediction predict_tree_packets(const MachineSpec& machine, const Model& model, const Settings& settings,
                                const Count& steps, std::uint64_t interval);

/// Bytes that making and keeping a schedule for `processors` processors takes, at most.
std::uint64_t drbt_schedule_bytes(std::uint64_t processors);

}  // namespace lockstep::tree
