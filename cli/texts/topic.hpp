#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "explanations.hpp"
#include "lockstep/algorithms/method.hpp"

namespace lockstep::cli::texts {

/// The kinds of topics, in the order in which topics of one name are shown.
enum class TopicKind { operation, machine, term, parameter, error, method };

std::string_view name(TopicKind kind);

/// A topic of any kind, with its text.
struct Topic {
  TopicKind kind;
  std::string name;                   ///< "broadcast/sbt", "torus", "port model", "deadlock"
  std::vector<std::string> also;      ///< other names under which it is found
  std::string summary;                ///< a line
  std::vector<std::string> families;  ///< of a method: the machine families of this entry
  std::vector<Section> sections;
};

/// The topic of a method.
Topic topic_of(const Method& method);

/// [{"title": "idea", "text": ".."}, ..]
nlohmann::ordered_json json_sections(const std::vector<Section>& sections);

/// All topics, kind by kind.
const std::vector<Topic>& topics();

/// The topics of that name, in upper or lower case and with "-" for a space; of methods only those that run on the
/// family of the machine, if given. Throws InputError with the nearest name, or if no method of the name runs there.
std::vector<Topic> topics_called(const std::string& name, const std::optional<MachineSpec>& machine);

/// Whether there are topics of that name.
bool names_topic(std::string_view name);

}  // namespace lockstep::cli::texts
