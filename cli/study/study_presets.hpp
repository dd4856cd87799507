#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli::study {

/// The names of the examples that `lockstep study --new` writes: the files of cli/texts/studies/.
std::vector<std::string> preset_names();

/// The example's text. Throws InputError, with the nearest name, if there is none.
std::string_view preset_text(const std::string& name);

}  // namespace lockstep::cli::study
