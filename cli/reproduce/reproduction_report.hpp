#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "reproduction.hpp"

namespace lockstep::cli::reproduce {

/// As text, and as Markdown.
std::string text_of(const ReproductionEntry& entry, const Reproduction& reproduction);
std::string markdown_of(const ReproductionEntry& entry, const Reproduction& reproduction);
/// One line per row of every table, with the columns of all tables.
std::string csv_of(const Reproduction& reproduction);
nlohmann::ordered_json json_of(const ReproductionEntry& entry, const Reproduction& reproduction, bool quick);

/// The list of reproductions.
std::string text_of(std::span<const ReproductionEntry> entries);
nlohmann::ordered_json json_of(std::span<const ReproductionEntry> entries);

}  // namespace lockstep::cli::reproduce
