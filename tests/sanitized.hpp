#pragma once

namespace lockstep {

/// Whether this is a build with a sanitizer, in which all takes several times as long. Tests whose size shows nothing
/// that a sanitizer looks for do less there; of the commands in texts, which other tests run the like of, some are run.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace lockstep
