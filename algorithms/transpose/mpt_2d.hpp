#pragma once

#include <optional>

#include "../permute/packet_moves.hpp"

namespace lockstep::transpose {

/// The multiple paths transpose of blocks of so many words on an even number of dimensions, 2h: a processor whose
/// halves of the rank differ in H bits cuts its block into 4 k H packets and sends 2k of them over each of its 2H
/// paths: two in successive cycles, and two more in every further round of 2H cycles. No two packets of the whole
/// machine want one link in one cycle. k is `rounds` for all if it is given, else floor(h/H), so that all end at about
/// the same time. Every packet has a word if words >= 4 k H for all H. Johnsson & Ho, section 6.1.3 (T 8).
permute::PacketPlan multiple_paths(Port dimensions, std::uint64_t words, const std::optional<std::uint64_t>& rounds);

}  // namespace lockstep::transpose
