#pragma once

#include <utility>
#include <vector>

#include "scenario.hpp"

// Wirings of known shapes, and one-word operations, for scenarios written by hand.
namespace lockstep::reference {

/// Port 0 leads to rank + 1 and port 1 to rank - 1.
inline Wiring path(Rank length) {
  Wiring wiring(length, std::vector<End>(2));
  for (Rank rank = 0; rank + 1 < length; ++rank) {
    wiring[rank][0] = {rank + 1, 1};
    wiring[rank + 1][1] = {rank, 0};
  }
  return wiring;
}

/// Port 0 leads to rank + 1 and port 1 to rank - 1; two processors are joined twice, one has no link.
inline Wiring ring(Rank length) {
  Wiring wiring(length, std::vector<End>(2));
  for (Rank rank = 0; length > 1 && rank < length; ++rank) {
    wiring[rank] = {{(rank + 1) % length, 1}, {(rank + length - 1) % length, 0}};
  }
  return wiring;
}

/// 2^dimensions processors; port p leads to rank xor 2^p.
inline Wiring cube(Port dimensions) {
  Wiring wiring(Rank{1} << dimensions, std::vector<End>(dimensions));
  for (Rank rank = 0; rank < wiring.size(); ++rank) {
    for (Port port = 0; port < dimensions; ++port) wiring[rank][port] = {rank ^ (Rank{1} << port), port};
  }
  return wiring;
}

/// Port p of rank 0, the hub, leads to port 0 of leaf p + 1.
inline Wiring star(Rank leaves) {
  Wiring wiring(leaves + 1, std::vector<End>(leaves));
  for (Rank leaf = 1; leaf <= leaves; ++leaf) {
    wiring[0][leaf - 1] = {leaf, 0};
    wiring[leaf][0] = {0, leaf - 1};
  }
  return wiring;
}

/// Two processors joined by port 0.
inline Wiring pair() { return cube(1); }

using Blocks = std::vector<std::uint64_t>;

inline Operation send(Port port, Blocks blocks = {}) {
  return {.verb = Verb::send, .ports = {port}, .blocks = std::move(blocks)};
}
inline Operation multicast(std::vector<Port> ports, Blocks blocks = {}) {
  return {.verb = Verb::multicast, .ports = std::move(ports), .blocks = std::move(blocks)};
}
inline Operation forward(Port port, std::uint64_t takes_ago = 0) {
  return {.verb = Verb::forward, .ports = {port}, .number = takes_ago};
}
inline Operation exchange(Port port, Blocks blocks = {}) {
  return {.verb = Verb::exchange, .ports = {port}, .blocks = std::move(blocks)};
}
inline Operation message(Port port) { return {.verb = Verb::message, .ports = {port}}; }
inline Operation any_message() { return {.verb = Verb::any_message}; }
inline Operation receive(Port port) { return {.verb = Verb::receive, .ports = {port}}; }
inline Operation poll(Port port) { return {.verb = Verb::poll, .ports = {port}}; }
inline Operation drain() { return {.verb = Verb::drain}; }
inline Operation look(Port port) { return {.verb = Verb::look, .ports = {port}}; }
inline Operation look_around() { return {.verb = Verb::look_around}; }
inline Operation write(std::vector<Port> slots, Blocks blocks = {}) {
  return {.verb = Verb::write, .ports = std::move(slots), .blocks = std::move(blocks)};
}
inline Operation read(std::vector<Port> slots) { return {.verb = Verb::read, .ports = std::move(slots)}; }
inline Operation cycle() { return {.verb = Verb::cycle}; }
inline Operation until(Cycle wake) { return {.verb = Verb::until, .number = wake}; }
inline Operation charge(std::uint64_t copied) { return {.verb = Verb::charge, .number = copied}; }
inline Operation compute(std::uint64_t operations) { return {.verb = Verb::compute, .number = operations}; }
inline Operation hold(std::uint64_t held) { return {.verb = Verb::hold, .number = held}; }
inline Operation phase(std::uint64_t number) { return {.verb = Verb::phase, .number = number}; }
inline Operation fail() { return {.verb = Verb::fail}; }
inline Operation call(Program body) { return {.verb = Verb::call, .body = std::move(body)}; }
/// The operation; the program continues if it throws.
inline Operation caught(Operation operation) {
  operation.catches = true;
  return operation;
}

}  // namespace lockstep::reference
