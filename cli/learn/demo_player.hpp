#pragma once

#include <atomic>
#include <optional>

#include "demo_story.hpp"

namespace lockstep::cli::learn {

/// Shows a demonstration screen by screen on a terminal, controlled by keys; given seconds, it also advances by itself.
/// Throws Interrupted if the user interrupts; the terminal is restored first.
void play(const DemoStory& story, std::optional<double> seconds, const std::atomic<bool>& stop);

/// All screens one after the other, when output is not a terminal.
std::string told(const DemoStory& story, std::size_t width, const host::Style& style);

}  // namespace lockstep::cli::learn
