#pragma once

#include <cstddef>
#include <cstdint>

/// Each harness defines this: it runs its subject on the bytes. Returns 0, also for bytes that are properly refused;
/// otherwise it aborts or throws. libFuzzer, which gives it this name, makes and mutates bytes to reach branches not
/// yet taken; without it they come from the harness's corpus (replay.cpp).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);  // NOLINT: libFuzzer's name
