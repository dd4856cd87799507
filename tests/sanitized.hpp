#pragma once

// g++ defines a macro for each sanitizer; clang answers a question.
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

/// Whether this is a build in which all takes several times as long: one with a sanitizer, or, where that is defined,
/// one that counts what is reached or that has mutants. Tests whose size shows nothing that a sanitizer looks for do
/// less there; of the commands in texts, which other tests run the like of, some are run.
#if defined(LOCKSTEP_ADDRESS_SANITIZER) || defined(LOCKSTEP_THREAD_SANITIZER) || defined(LOCKSTEP_SLOW_BUILD)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace lockstep
