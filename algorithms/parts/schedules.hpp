#pragma once

#include "method/step_lengths.hpp"
#include "part_exchange.hpp"

// Schedules that combine parts of vectors, one per rank, and distribute them (collectives.md). A reduce-scatter gives
// rank r part r of the result; the allgather of the same name sends messages of the same lengths, in the same or in
// reverse order, and gives all parts to all. add_..() adds the longest message of every step of either, for vectors of
// m words.
namespace lockstep::parts {

/// Step t = 0, 1, ..: part (r - 1 - t) mod p goes to rank r + 1, where it is combined. Patarasuk & Yuan 2009.
PartSchedule ring_reduce_scatter(Rank p);
/// Step t: part (r - t) mod p goes to rank r + 1.
PartSchedule ring_allgather(Rank p);
/// Step t = 1, 2, ..: rank r + t receives its own part. Thakur, Rabenseifner, Gropp 2005.
PartSchedule pairwise_reduce_scatter(Rank p);
/// For these three, whose messages are single parts.
void add_single_parts(Rank p, std::uint64_t m, method::StepLengths& lengths);

/// Both ways round a ring, in two lanes: the summands of part b come to rank b from floor(p/2) ranks before it and
/// floor((p-1)/2) behind it, those of the shorter way a step later; then the part goes back both ways.
PartSchedule two_way_allreduce(Rank p);

/// For p a power of two, at distances p/2, p/4, ..: of the parts that both still have, each sends the half with the
/// other's own. Thakur, Rabenseifner, Gropp 2005.
PartSchedule halving_reduce_scatter(Rank p);
/// At distances 1, 2, ..: each sends all that it has.
PartSchedule doubling_allgather(Rank p);
/// For p a power of two, at distances 1, 2, ..: the rank whose place before the last has the next bit set sends the
/// parts around it, which it has gathered, towards the last rank.
PartSchedule gather_to_last(Rank p);
void add_halves(Rank p, std::uint64_t m, method::StepLengths& lengths);

/// The skips s_0 = 1, .., s_q = p, q = ceil(log2 p), each half of the next, rounded up. With k > 1 ports, q =
/// ceil(log_(k+1) p), each is k + 1 times the one before, the last less.
std::vector<Rank> circulant_skips(Rank p, std::uint64_t ports = 1);
/// For any p, i = q-1, .., 0: the parts r + s_i, .., r + s_(i+1) - 1 go to rank r + s_i. Traeff 2024. With k ports they
/// are cut into k runs, each of ceil((s_(i+1) - s_i)/k) parts but for the last ones, which go to the rank of their
/// first part.
PartSchedule circulant_reduce_scatter(Rank p, std::uint64_t ports = 1);
/// i = 0, .., q-1: the parts r, .., r + s_(i+1) - s_i - 1 go to rank r - s_i; with k ports the moves above, backwards.
PartSchedule circulant_allgather(Rank p, std::uint64_t ports = 1);
/// A step of either: the parts of its longest message, and the messages of a rank.
struct CirculantRound {
  Rank parts;
  Rank messages;
};
std::vector<CirculantRound> circulant_rounds(Rank p, std::uint64_t ports);
/// Adds the longest messages of a reduce-scatter of m words; returns the messages of a rank.
Wide add_circulant(Rank p, std::uint64_t ports, std::uint64_t m, method::StepLengths& lengths);

/// Blocks of a message of sparbit_allgather() over 2^step ranks.
Rank sparbit_blocks(Rank p, Cycle step);
/// At distances d = 2^(q-1), .., 2, 1: of the blocks r, r - 2d, r - 4d, .. that a rank has, those that rank r + d lacks
/// are sent to it. Loch & Koslovski 2021.
PartSchedule sparbit_allgather(Rank p);

/// First the ranks of a pair, 2i and 2i + 1, exchange their blocks; then every rank exchanges the two last received
/// with its neighbours in turn, the one outside the pair first. Chen, Zhang, Yuan 2005. For p odd, rank t is idle in
/// step t, and the others exchange two by two, from t + 1 on, what the partner lacks: Lockstep's own.
PartSchedule neighbour_allgather(Rank p);

}  // namespace lockstep::parts
