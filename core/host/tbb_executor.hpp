#pragma once

namespace lockstep::detail {

/// A oneTBB task arena with its own threads; opaque, so that oneTBB stays in one source file.
struct TbbArena;

TbbArena* make_tbb_arena(unsigned threads);
void free_tbb_arena(TbbArena* arena);

/// Calls part(context, index) for index 0 .. parts-1, one part for each thread of the arena, and returns when all are
/// done.
void run_in_tbb_arena(TbbArena* arena, unsigned parts, void (*part)(void* context, unsigned index), void* context);

}  // namespace lockstep::detail
