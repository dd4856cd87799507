#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "host/terminal.hpp"
#include "lockstep/machines/embedding.hpp"

namespace lockstep::cli::machine {

/// The report of `info --embed`: the guest, the places of its processors, and the costs.
struct EmbeddingInfo {
  Embedding embedding;
  EmbeddingCosts costs;
  std::string flags;  ///< of a command that runs a method of the guest
};

/// Throws InputError if the host cannot hold the guest or has too many paths to follow, and MachineSpecError.
EmbeddingInfo embedding_info(const std::string& guest, const MachineSpec& host,
                             const std::optional<std::string>& map = {});

/// Text: the places of a small guest, the rule of a large one.
std::string text_of(const EmbeddingInfo& info, const host::Style& style);
/// JSON, with the places of the guest's processors if they are at most 65,536.
nlohmann::ordered_json json_of(const EmbeddingInfo& info);

}  // namespace lockstep::cli::machine
