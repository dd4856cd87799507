#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "host/terminal.hpp"
#include "lockstep/machines/embedding.hpp"

namespace lockstep::cli::machine {

/// What `info --embed` shows: the guest, where its processors are, and what that costs.
struct EmbeddingInfo {
  Embedding embedding;
  EmbeddingCosts costs;
};

/// Throws InputError if the host does not hold the guest or its paths are too many to be walked, and MachineSpecError.
EmbeddingInfo embedding_info(const std::string& guest, const MachineSpec& host);

/// For people: the places of small guests, of large ones how they come about.
std::string text_of(const EmbeddingInfo& info, const host::Style& style);
/// With the places of all of the guest's processors, if they are at most 65,536.
nlohmann::ordered_json json_of(const EmbeddingInfo& info);

}  // namespace lockstep::cli::machine
