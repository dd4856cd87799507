#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "reproduction.hpp"

namespace lockstep::cli::reproduce {

/// For people, and the same as Markdown.
std::string text_of(const ReproductionEntry& entry, const Reproduction& reproduction);
std::string markdown_of(const ReproductionEntry& entry, const Reproduction& reproduction);
/// A line for every row of every table, under the columns of all of them.
std::string csv_of(const Reproduction& reproduction);
nlohmann::ordered_json json_of(const ReproductionEntry& entry, const Reproduction& reproduction, bool quick);

/// What there is.
std::string text_of(std::span<const ReproductionEntry> entries);
nlohmann::ordered_json json_of(std::span<const ReproductionEntry> entries);

}  // namespace lockstep::cli::reproduce
