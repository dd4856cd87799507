#pragma once

#include <cstddef>
#include <cstdint>

/// What every harness has for itself: does with the bytes what it is about. Returns 0, also if they are refused as they
/// should be; else it aborts, or lets an exception out.
/// With libFuzzer, whose name this is, bytes are made up and changed so that they take branches that none before took;
/// without, they are those of the harness's corpus (replay.cpp).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);  // NOLINT: its name
