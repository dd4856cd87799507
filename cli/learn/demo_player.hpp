#pragma once

#include <atomic>
#include <optional>

#include "demo_story.hpp"

namespace lockstep::cli::learn {

/// Shows a demonstration screen by screen on a terminal, as the keys say; with a number of seconds it also goes on by
/// itself. Throws Interrupted if the user asks to stop; the terminal is then what it was.
void play(const DemoStory& story, std::optional<double> seconds, const std::atomic<bool>& stop);

/// All screens one after the other, for who is no terminal.
std::string told(const DemoStory& story, std::size_t width, const host::Style& style);

}  // namespace lockstep::cli::learn
