#include "group.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "comma_list.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep::method {
namespace {

constexpr std::string_view group_flag = "--group";

bool is_list(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789b,.") == std::string_view::npos;
}

bool is_subcube(std::string_view text) {
  return text.starts_with("0b") && text.find('*') != std::string_view::npos &&
         text.find_first_not_of("01*", 2) == std::string_view::npos;
}

/// Marks ranks, each once.
class RankMarks {
 public:
  RankMarks(const MachineSpec& machine, std::vector<bool>& has) : machine_(machine), has_(has) {}

  void add(std::string_view what, std::uint64_t rank) {
    if (rank >= machine_.processors) {
      throw InputError(std::string(what) + " " + std::to_string(rank) + " is out of range: 0 to " +
                       std::to_string(machine_.processors - 1));
    }
    if (has_[rank]) throw InputError(std::string(what) + " " + std::to_string(rank) + " is named twice");
    has_[rank] = true;
  }

  void add_range(std::string_view text) {
    const std::size_t dots = text.find("..");
    const std::uint64_t first = parse_rank(group_flag, text.substr(0, dots));
    const std::uint64_t last = dots == std::string_view::npos ? first : parse_rank(group_flag, text.substr(dots + 2));
    if (last < first) throw InputError(std::string(group_flag) + " " + quoted(text) + " ends before it begins");
    for (std::uint64_t rank = first; rank <= last; ++rank) add(group_flag, rank);
  }

  void add_list(std::string_view text) {
    for (const std::string_view range : split_at_commas(text)) add_range(range);
  }

  void add_subcube(std::string_view text) {
    const std::string_view digits = text.substr(2);
    if (digits.size() != machine_.ports) {
      throw InputError(std::string(group_flag) + " " + quoted(text) + " has " + counted(digits.size(), "digit") +
                       ", and " + printable(machine_.text) + " has " + counted(machine_.ports, "dimension"));
    }
    std::uint64_t fixed = 0, ones = 0;
    for (const char digit : digits) {
      fixed = fixed << 1 | (digit == '*' ? 0 : 1);
      ones = ones << 1 | (digit == '1' ? 1 : 0);
    }
    for (std::uint64_t rank = 0; rank < machine_.processors; ++rank) {
      if ((rank & fixed) == ones) has_[rank] = true;
    }
  }

  void add_file(const std::string& path) {
    std::ifstream file = open_data(path);
    try {
      for (std::string text; file >> text;) add("rank", parse_rank("rank", text));
    } catch (const InputError& problem) {
      throw InputError(input_name(path) + ": " + problem.what());
    }
    if (file.bad()) refuse_to_read(path);
    if (std::ranges::find(has_, true) == has_.end()) throw InputError(input_name(path) + " names no rank");
  }

 private:
  const MachineSpec& machine_;
  std::vector<bool>& has_;
};

}  // namespace

Group::Group(const MachineSpec& machine, const std::string& text) {
  constexpr std::uint64_t most_dimensions = 24;  // so that the ranks can be listed
  if (machine.ports > most_dimensions) {
    throw InputError(std::string(group_flag) + " is for cubes of at most " + std::to_string(most_dimensions) +
                     " dimensions; " + printable(machine.text) + " has " + std::to_string(machine.ports));
  }
  has_.resize(machine.processors);
  RankMarks marks(machine, has_);
  if (is_subcube(text)) {
    marks.add_subcube(text);
  } else if (is_list(text)) {
    marks.add_list(text);
  } else {
    marks.add_file(text);
  }
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    if (has_[rank]) members_.push_back(rank);
  }
}

std::optional<Group> group_of(const MachineSpec& machine, const Settings& settings) {
  return settings.group ? std::optional(Group(machine, *settings.group)) : std::nullopt;
}

void resolve_root_in_group(const MachineSpec& machine, Settings& settings) {
  const std::optional<Group> group = group_of(machine, settings);
  if (!group) return;
  if (!settings.root) settings.root = group->members().front();
  if (*settings.root < machine.processors && !group->has(root_of(settings))) {
    throw InputError("--root " + std::to_string(*settings.root) + " is not in --group " + printable(*settings.group));
  }
}

}  // namespace lockstep::method
