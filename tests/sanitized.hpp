#pragma once

// g++ defines a macro for each sanitizer; clang has __has_feature.
#ifdef __SANITIZE_ADDRESS__
#define LOCKSTEP_ADDRESS_SANITIZER
#endif
#ifdef __SANITIZE_THREAD__
#define LOCKSTEP_THREAD_SANITIZER
#endif
#ifdef __clang__
#if __has_feature(address_sanitizer)
#define LOCKSTEP_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define LOCKSTEP_THREAD_SANITIZER
#endif
#endif

namespace lockstep {

/// Whether tests take several times as long in this build: with a sanitizer, or, where LOCKSTEP_SLOW_BUILD is defined,
/// with coverage counters or mutants. Tests whose size does not help a sanitizer do less there; of the commands in
/// texts, which resemble those of other tests, only some are run.
#if defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER) || defined(LOCKSTEP_SLOW_BUILD)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace lockstep
