#include "study_presets.hpp"

#include "lockstep/algorithms/choice_error.hpp"
#include "texts/reader.hpp"

namespace lockstep::cli::study {
namespace {

constexpr std::string_view folder_of_presets = "studies/";

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const texts::TextFile& file : texts::files()) {
    if (file.path.starts_with(folder_of_presets)) names.emplace_back(texts::stem(file.path));
  }
  return names;
}

std::string_view preset_text(const std::string& name) {
  for (const texts::TextFile& file : texts::files()) {
    if (file.path.starts_with(folder_of_presets) && texts::stem(file.path) == name) return file.content;
  }
  refuse_choice("--new", name, preset_names());
}

}  // namespace lockstep::cli::study
