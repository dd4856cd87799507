#pragma once

#include <cstdint>

#include "lockstep/algorithms/multiple_paths.hpp"
#include "plans/packets/packet_moves.hpp"

namespace lockstep::transpose {

/// The default rounds, for blocks of that many words, at least 2 `dimensions`: k_H = floor(h/H), so that all classes
/// end at about the same time. But in regime 3 of Theorem 2, n <= sqrt(r/2), r = K tau/beta, every class takes those
/// with which its own time, (2 k H + 1)(beta + K tau/(4 k H)), is least (the fewest, if there are several), among those
/// whose packets have a word and, where --max-packet leaves a choice, take no second start-up.
Rounds default_rounds(Port dimensions, std::uint64_t words, const CostModel& cost);

/// The multiple paths transpose of blocks of that many words on an even number of dimensions, 2h: a processor whose
/// halves of the rank differ in H bits cuts its block into 4 k H packets, k = k_H, and sends 2k of them over each of
/// its 2H paths: two in successive cycles, and two more in every further round of 2H cycles. No two packets of the
/// whole machine need one link in one cycle, whatever the classes' k, since classes share no link. Every packet has a
/// word if words >= 4 k_H H for all H. Johnsson & Ho, section 6.1.3 (johnsson-ho.md, Multiple paths).
packets::PacketSchedule multiple_paths(Port dimensions, std::uint64_t words, const Rounds& rounds);

}  // namespace lockstep::transpose
